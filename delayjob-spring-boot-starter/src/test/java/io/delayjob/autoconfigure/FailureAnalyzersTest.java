package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.redis.TestRedisServer;
import io.delayjob.spring.NamelessClass;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

/** What a developer reads when an application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzersTest {

    private static final String HOW_TO_SCHEDULE =
            "Write jobs.schedule(UnpaidOrders::cancel), where UnpaidOrders is the class of a bean and "
                    + "cancel is a method with @DelayedJob. Pass the payload by .with(…). Schedule only after the "
                    + "application has started, because handlers are known once all beans are created.";

    /** From "Description:" to the end of the "Action:", as it stands on the console. */
    private static String failureOf(CapturedOutput output, Class<?> source, String... properties) {
        return failureOf(output, new Class<?>[] {source}, properties);
    }

    private static String failureOf(CapturedOutput output, Class<?>[] sources, String... properties) {
        SpringApplication application = new SpringApplicationBuilder(sources)
                .web(WebApplicationType.NONE)
                .properties("spring.datasource.generate-unique-name=true", "spring.main.banner-mode=off")
                .properties(properties)
                .build();
        try {
            application.run().close();
        } catch (RuntimeException expected) {
            assertThat(output).contains("APPLICATION FAILED TO START");
        }
        String all = output.toString();
        return all.substring(all.indexOf("Description:", all.indexOf("APPLICATION FAILED TO START")))
                .strip();
    }

    private static String report(String description, String action) {
        return "Description:\n\n" + description + "\n\nAction:\n\n" + action;
    }

    @Test
    void twoHandlersOfOneName(CapturedOutput output) {
        assertThat(failureOf(output, TwoOfOneName.class))
                .isEqualTo(report(
                        "Two handlers have the name 'x': First::run and Second::run. A stored job finds "
                                + "its handler by name, so give one handler another name. If stored jobs of that "
                                + "handler must still run, put 'x' into its formerNames.",
                        "State the name in its annotation, as in @DelayedJob(name = \"…\")."));
    }

    @Test
    void moreQueuesThanAnInstanceMayWork(CapturedOutput output) {
        assertThat(failureOf(output, TwoQueues.class, "delayjob.store=memory", "delayjob.max-queues=1"))
                .isEqualTo(report(
                        "Invalid delayjob.max-queues 1: must be at least 2, the number of queues that "
                                + "handlers and delayjob.queues declare ('bulk', 'mail').",
                        "Let handlers share queues, and limit single handlers by @DelayedJob(concurrency "
                                + "= …). Or disable queues that other instances serve "
                                + "(delayjob.queues.<name>.enabled=false). Or raise delayjob.max-queues."));
    }

    @Test
    void missingTables(CapturedOutput output) {
        assertThat(failureOf(output, Empty.class, "delayjob.jdbc.initialize-schema=never"))
                .startsWith("Description:\n\ndelayjob cannot read its tables: ")
                .contains("delayjob_job", "the script is schema-h2.sql in delayjob's jar.")
                .endsWith("""
                    Action:

                    Create the tables, or configure where they are:
                        - set delayjob.jdbc.initialize-schema=always to create them at start, or
                        - add io/delayjob/jdbc/schema-h2.sql of delayjob-jdbc-store.jar to your migrations, or
                        - add the missing columns as in that script, or
                        - correct delayjob.jdbc.table-prefix, spring.datasource.url or the user's search path, or
                        - set delayjob.store=memory if jobs may be lost when the application ends.\
                    """);
    }

    @Test
    void missingTablesOfANamedStore(CapturedOutput output) {
        assertThat(failureOf(
                        output,
                        Empty.class,
                        "delayjob.stores.eu.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "delayjob.stores.eu.jdbc.initialize-schema=never"))
                .startsWith("Description:\n\nStore 'eu': delayjob cannot read its tables: ")
                .contains("delayjob_job", "the script is schema-h2.sql in delayjob's jar.")
                .endsWith("""
                        - set delayjob.store=memory if jobs may be lost when the application ends.
                    The properties delayjob.stores.eu.* describe store 'eu'.\
                    """);
    }

    @Test
    void databaseOfANamedStoreThatIsAway(CapturedOutput output) {
        assertThat(failureOf(
                        output,
                        Empty.class,
                        "delayjob.stores.eu.url=jdbc:h2:mem:missing;IFEXISTS=TRUE",
                        "delayjob.stores.us.url=jdbc:h2:mem:" + UUID.randomUUID()))
                .startsWith("Description:\n\nStore 'eu': delayjob cannot reach the database of its tables: ")
                .endsWith("The properties delayjob.stores.eu.* describe store 'eu'.");
    }

    @Test
    void lambdaInsteadOfReference(CapturedOutput output) {
        assertThat(failureOf(output, Lambda.class).replaceAll("lambda\\$[^)]*", "lambda"))
                .isEqualTo(report(
                        "Invalid handler reference in " + Lambda.class.getName() + " (lambda): must be a method"
                                + " reference such as"
                                + " UnpaidOrders::cancel and not a"
                                + " lambda body, because a job is"
                                + " stored under the name of its method's handler."
                                + " If it is a method"
                                + " reference, make its method public"
                                + " and free of varargs, because the"
                                + " compiler turns other method references"
                                + " into lambdas.",
                        HOW_TO_SCHEDULE));
    }

    @Test
    void methodThatIsNoHandler(CapturedOutput output) {
        assertThat(failureOf(output, NotAnnotated.class))
                .isEqualTo(report(
                        "No handler for NotAnnotated::run. Annotate the method with @DelayedJob, and "
                                + "make its class a Spring bean of this application. Do so even if this "
                                + "application only schedules (delayjob.worker.enabled=false). To schedule a "
                                + "handler of another application, give its name instead.",
                        HOW_TO_SCHEDULE));
    }

    @Test
    void deferredMethodThatIsFinal(CapturedOutput output) {
        assertThat(failureOf(output, FinalMethod.class))
                .isEqualTo(report(
                        "Handler method " + FinalMethod.class.getName() + ".run is final, or its class is, so its"
                                + " calls cannot be intercepted.",
                        "Remove 'final', or use @DelayedJob and schedule it by jobs.schedule(FinalMethod::run)."));
    }

    @Test
    void deferredMethodOfAFinalClass(CapturedOutput output) {
        assertThat(failureOf(output, OfFinalClass.class))
                .isEqualTo(report(
                        "Handler method " + FinalClass.class.getName() + ".run is final, or its class is, so its"
                                + " calls cannot be intercepted.",
                        "Remove 'final', or use @DelayedJob and schedule it by jobs.schedule(FinalClass::run)."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        OpensFile | java.io.InputStream, the type of parameter 'from', is an interface or abstract, and does not name the type to read instead.
        Calls     | java.lang.Runnable, the type of parameter 'back', is an interface or abstract, and does not name the type to read instead.
        Opaque    | io.delayjob.autoconfigure.FailureAnalyzersTest$Secret, the type of parameter 'secret', has no property that can be written, so its content would be lost.
        """)
    void payloadThatCannotBeStored(String name, String reason, CapturedOutput output) throws Exception {
        Class<?> handler = Class.forName(getClass().getName() + "$" + name);
        assertThat(failureOf(output, handler))
                .isEqualTo(report(
                        "Handler method " + handler.getName() + ".run takes a payload that cannot be stored: " + reason,
                        "Let it take a value that can be written as JSON and read again, such as a record or an id, and"
                                + " load the rest when the job runs."));
    }

    @Test
    void methodWithoutParameterNames(CapturedOutput output, @TempDir Path directory) throws Exception {
        Class<?> nameless = NamelessClass.compile(directory, "void run(long id) {}");
        assertThat(failureOf(output, new Class<?>[] {Empty.class, nameless}))
                .isEqualTo(report(
                        "Handler method Nameless.run has parameters whose names are not in the class file.",
                        "Compile it with -parameters: payloads are stored by parameter name."));
    }

    @Test
    void gapsTogetherWithDelay(CapturedOutput output) {
        assertThat(failureOf(output, GapsAndDelay.class))
                .isEqualTo(report(
                        "Handler method " + GapsAndDelay.class.getName()
                                + ".run has an invalid annotation: @Retry has gaps together with delay, "
                                + "multiplier, maxDelay or maxRetries. Gaps already set every delay and the number "
                                + "of retries. Remove the gaps or the other attributes.",
                        "Correct the annotation."));
    }

    @Test
    void scheduledBesideDelayedJob(CapturedOutput output) {
        assertThat(failureOf(output, ScheduledToo.class))
                .isEqualTo(report(
                        "Handler method " + ScheduledToo.class.getName() + ".run has @Scheduled beside @DelayedJob:"
                                + " every instance would also call the method itself, without a job.",
                        "Remove @Scheduled, and state the time in @DelayedJob, by cron or every: it then starts once in"
                                + " the cluster."));
    }

    @Test
    void asyncBesideDelayedJob(CapturedOutput output) {
        assertThat(failureOf(output, AsyncToo.class))
                .isEqualTo(report(
                        "Handler method " + AsyncToo.class.getName() + ".run is @Async, or its class is: the job would"
                                + " end before the work does, and a failure would be lost.",
                        "Remove @Async, because a job has its own thread; or let the method return a"
                                + " CompletionStage."));
    }

    @Test
    void h2FileOfAnotherProcess(CapturedOutput output, @TempDir Path directory) throws IOException {
        Path file = directory.resolve("jobs.mv.db");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock(); // as H2 does it in the other process
            assertThat(failureOf(
                            output, Empty.class, "spring.datasource.url=jdbc:h2:file:" + directory.resolve("jobs")))
                    .contains("The H2 database is open in another process")
                    .contains(file.toString())
                    .contains("Stop the other process");
        }
    }

    @Test
    void handlersWithoutStore(CapturedOutput output) {
        assertThat(failureOf(
                        output,
                        Worker.class,
                        "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName()))
                .contains("Handler method " + Worker.class.getName() + ".run would never run: there is no job store.")
                .contains("Add a DataSource. Or set delayjob.store=memory")
                .contains("delayjob.enabled=false");
    }

    @Test
    void storeThatDoesNotExist(CapturedOutput output) {
        assertThat(failureOf(output, new Class<?>[] {Worker.class, Caller.class}, "delayjob.store=mongo"))
                .isEqualTo(report(
                        "Invalid delayjob.store 'mongo': must be jdbc, memory, redis, or the name of another "
                                + "store. For another store, add its jar with its JobStore and LeaseProvider beans "
                                + "to the class path.",
                        "Correct delayjob.store in the application's configuration."));
    }

    @Test
    void initializeSchemaThatDoesNotExist(CapturedOutput output) {
        assertThat(failureOf(output, Worker.class, "delayjob.jdbc.initialize-schema=alwyas"))
                .isEqualTo(report(
                        "Invalid delayjob.jdbc.initialize-schema 'alwyas': must be one of [always, embedded, never].",
                        "Correct delayjob.jdbc.initialize-schema in the application's configuration."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        delayjob.partitions=0                | Invalid delayjob.partitions 0: must be from 1 to 1024. | delayjob.partitions
        delayjob.liveness=3s                 | Invalid delayjob.liveness PT3S: must be at least PT6S, three times delayjob.heartbeat; raise delayjob.liveness, or lower delayjob.heartbeat. | delayjob.liveness
        delayjob.sweep.adopt-after=1ms       | Invalid delayjob.sweep.adopt-after PT0.001S | delayjob.sweep.adopt-after
        delayjob.claim-lead=2s               | Invalid delayjob.claim-lead PT2S: must be from PT0S to PT1S. | delayjob.claim-lead
        delayjob.interrupt-grace=-1s         | Invalid delayjob.interrupt-grace PT-1S: must be PT0S or more. | delayjob.interrupt-grace
        delayjob.instance-id=                | Invalid delayjob.instance-id '' (0 characters) | delayjob.instance-id
        delayjob.queues.mail.concurrency=0   | Invalid concurrency 0 of a queue | delayjob.queues.mail.concurrency
        delayjob.queues.mail.rate=fast       | Invalid rate 'fast': must be a whole number of starts and, without a space, a unit (/s, /min, /h or /d), such as 100/s, 30/min or 5000/h. Leave it out for no limit. | delayjob.queues.mail.rate
        delayjob.queues.mail.rate=0/s        | Invalid rate 0/s: must be from 1 to 1000000 starts; to start nothing, pause the handler or queue. | delayjob.queues.mail.rate
        delayjob.queues.mail.burst=7         | Invalid burst 7: must come with a rate. State a rate such as 100/s, or remove the burst. | delayjob.queues.mail.burst
        delayjob.retry.max-retries=-1        | Invalid maxRetries (-1) | delayjob.retry
        delayjob.history.failed=-1d          | Invalid delayjob.history.failed PT-24H: must be PT0S or more. | delayjob.history.failed
        delayjob.payload.max-read-size=100KB | Invalid delayjob.payload.max-read-size, the longest payload that the job store reads (102400 bytes): must be at least 196608 bytes. | delayjob.payload.max-read-size
        delayjob.payload.max-read-size=0     | Invalid delayjob.payload.max-read-size, the longest payload that the job store reads (0 bytes): must be at least 196608 bytes. | delayjob.payload.max-read-size
        delayjob.jdbc.table-prefix=my-jobs_  | Invalid table prefix 'my-jobs_': must begin with a letter or an underscore | delayjob.jdbc.table-prefix
        delayjob.jdbc.dialect=oracle         | Invalid delayjob.jdbc.dialect 'oracle': must be one of [postgresql, mariadb, mysql, h2]. | delayjob.jdbc.dialect
        delayjob.lease.provider=foo          | Invalid delayjob.lease.provider 'foo': must be 'jdbc', 'bean' | delayjob.lease.provider
        delayjob.lease.provider=bean         | Invalid delayjob.lease.provider 'bean' | delayjob.lease.provider
        """)
    void badSetting(String property, String description, String key, CapturedOutput output) {
        assertThat(failureOf(output, Empty.class, property))
                .containsSubsequence(
                        "Description:",
                        description,
                        "Action:",
                        "Correct " + key + " in the application's configuration.")
                .doesNotContain("Error creating bean");
    }

    @Test
    void invalidTablePrefix_withoutInitialization(CapturedOutput output) {
        assertThat(failureOf(
                        output,
                        Empty.class,
                        "delayjob.jdbc.table-prefix=x; DROP TABLE orders; --",
                        "delayjob.jdbc.initialize-schema=never"))
                .startsWith("Description:\n\nInvalid table prefix 'x; DROP TABLE orders; --': must begin with")
                .endsWith("Correct delayjob.jdbc.table-prefix in the application's configuration.");
    }

    @Test
    void atomicHandlerWithoutTransactions(CapturedOutput output) {
        assertThat(failureOf(output, AtomicWorker.class, "delayjob.store=memory"))
                .isEqualTo(report(
                        "Handler 'x' is atomic, but the job store (memory) has no transactions for "
                                + "handlers. Keep the jobs in the database that the handler writes to "
                                + "(delayjob.store=jdbc), or remove atomic.",
                        "Set delayjob.store=jdbc, with a DataSource of the database that the handler "
                                + "writes to. Or remove atomic = true from the handler. In an application with "
                                + "several stores, state one in a database, as in store = \"eu\"."));
    }

    // ---- the database

    @Test
    void databaseThatIsNotSupported(CapturedOutput output) {
        assertThat(failureOf(output, Foreign.class, "delayjob.jdbc.initialize-schema=always"))
                .isEqualTo(report(
                        "Unsupported database 'HSQL Database Engine': must be one of [PostgreSQL, "
                                + "MariaDB, MySQL, H2]. Use one of these databases, or set delayjob.jdbc.dialect "
                                + "to the dialect whose SQL your database accepts.",
                        """
                        Keep the jobs in a database that is supported:
                            - correct spring.datasource.url, or mark the DataSource of such a database with @DelayJobDataSource, or
                            - set delayjob.jdbc.dialect to postgresql, mariadb, mysql or h2 if this database accepts its SQL, or
                            - set delayjob.store=memory if jobs may be lost when the application ends.\
                        """));
    }

    @Test
    void databaseThatSpeaksLikeASupportedOne_isServedUnderItsName() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Foreign.class)
                .web(WebApplicationType.NONE)
                .run("--delayjob.jdbc.initialize-schema=always", "--delayjob.jdbc.dialect=h2")) {
            assertThat(context.getBean(DelayJobOperations.class)
                            .schedule("elsewhere")
                            .now())
                    .isNotNull();
        }
    }

    /** Its SQL is not that of any dialect: with this one the tables can be made, and nothing else. */
    @Test
    void databaseThatRefusesTheStatementsOfTheNamedDialect(CapturedOutput output) {
        assertThat(failureOf(
                        output, Empty.class, "spring.datasource.url=jdbc:hsqldb:mem:jobs", "delayjob.jdbc.dialect=h2"))
                .startsWith("Description:\n\nUnsupported database 'HSQL Database Engine' for delayjob.jdbc.dialect=h2:"
                        + " it refuses statements of that dialect, such as\n    INSERT INTO delayjob_queue")
                .containsSubsequence("unexpected token", "Action:", "delayjob.store=memory")
                .doesNotContain("Error creating bean");
        assertThat(output).containsOnlyOnce("has no network timeouts").doesNotContain("marked as broken", "\tat ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        postgresql | 'HSQL Database Engine' | jdbc:hsqldb:mem:other              | SET LOCAL
        mysql      | 'HSQL Database Engine' | jdbc:hsqldb:mem:other              | CREATE TABLE
        mariadb    | 'HSQL Database Engine' | jdbc:hsqldb:mem:other              | CREATE TABLE
        postgresql | 'H2'                   | jdbc:h2:mem:other                  | SET LOCAL
        """, quoteCharacter = '"')
    void databaseThatRefusesTheTablesOfTheNamedDialect(
            String dialect, String product, String url, String statement, CapturedOutput output) {
        assertThat(failureOf(output, Empty.class, "spring.datasource.url=" + url, "delayjob.jdbc.dialect=" + dialect))
                .startsWith("Description:\n\nUnsupported database " + product + " for delayjob.jdbc.dialect=" + dialect
                        + ": it refuses statements of that dialect, such as\n    " + statement)
                .containsSubsequence("Action:", "delayjob.jdbc.dialect", "delayjob.store=memory")
                .doesNotContain("Error creating bean");
    }

    @Test
    void databaseThatIsAway(CapturedOutput output) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertThat(failureOf(output, Empty.class, "spring.datasource.url=jdbc:h2:tcp://localhost:" + port + "/mem:a"))
                .startsWith("Description:\n\ndelayjob cannot reach the database of its tables: ")
                .contains("Connection is broken")
                .endsWith("""
                    Action:

                    Start the database, or correct its URL, user and password. If it may start later than the application:
                        - set spring.datasource.hikari.initialization-fail-timeout=60000, so that the pool waits at start for
                          at most 60,000 ms, or
                        - have the application restarted until the database is there.\
                    """)
                .doesNotContain("Error creating bean");
    }

    /** As the analysis of {@link #databaseThatIsAway} advises. */
    @Test
    void databaseThatComesLater_isWaitedForByThePool() throws Exception {
        try (LateDatabase database = new LateDatabase();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(Empty.class)
                        .web(WebApplicationType.NONE)
                        .run(
                                "--spring.datasource.url=" + database.url(),
                                "--spring.datasource.username=sa",
                                "--spring.datasource.hikari.initialization-fail-timeout=60000",
                                "--delayjob.jdbc.initialize-schema=always")) {
            assertThat(database.refused()).isTrue();
            assertThat(context.getBean(DelayJobOperations.class)
                            .schedule("elsewhere")
                            .now())
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Empty        | 1 | must have 2 or more, because the heartbeat keeps one connection, and all other work would wait for that connection.
        AtomicWorker | 2 | must have 3 or more, because the heartbeat, an attempt of an atomic handler and a call that schedules a job need one connection each.
        """)
    void poolThatIsTooSmall(String name, int connections, String reason, CapturedOutput output) throws Exception {
        assertThat(failureOf(
                        output,
                        Class.forName(getClass().getName() + "$" + name),
                        "spring.datasource.hikari.connection-timeout=1000",
                        "spring.datasource.hikari.maximum-pool-size=" + connections))
                .isEqualTo(report(
                        "The connection pool of the job tables has at most " + connections + " connections: " + reason,
                        "Make the pool larger, for example with spring.datasource.hikari.maximum-pool-size=10."));
    }

    @Test
    void redisThatMayDeleteJobs(CapturedOutput output) {
        try (TestRedisServer cache = TestRedisServer.start("--maxmemory-policy", "allkeys-lru")) {
            assertThat(failureOf(
                            output,
                            Empty.class,
                            "delayjob.store=redis",
                            "spring.data.redis.url=redis://127.0.0.1:" + cache.port()))
                    .isEqualTo(report(
                            "Redis at 127.0.0.1:" + cache.port() + " must not keep jobs: its maxmemory-policy is"
                                    + " allkeys-lru, so it may delete jobs when its memory is full.",
                            "Set maxmemory-policy noeviction on that server. If it is a cache, keep the jobs on another"
                                    + " server, and mark its LettuceConnectionFactory with @DelayJobRedis."));
        }
    }

    /** A database server that refuses the first connection, and is there from the second on. */
    private static final class LateDatabase implements AutoCloseable {

        private final ServerSocket placeholder = new ServerSocket(0);
        private final int port = placeholder.getLocalPort();
        private final CompletableFuture<Server> server;

        LateDatabase() throws IOException {
            server = CompletableFuture.supplyAsync(() -> {
                try (placeholder) {
                    placeholder.accept().close();
                } catch (IOException error) {
                    throw new UncheckedIOException(error);
                }
                try {
                    return Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists")
                            .start();
                } catch (SQLException error) {
                    throw new IllegalStateException(error);
                }
            });
        }

        String url() {
            return "jdbc:h2:tcp://localhost:" + port + "/mem:late;DB_CLOSE_DELAY=-1";
        }

        boolean refused() {
            return server.isDone();
        }

        @Override
        public void close() throws Exception {
            server.get(30, TimeUnit.SECONDS).stop();
        }
    }

    /** Needs the operations, so that it fails where there is no engine. */
    static class Caller {
        Caller(DelayJobOperations jobs) {
            assertThat(jobs).isNotNull();
        }
    }

    static class AtomicWorker extends Empty {
        @DelayedJob(name = "x", atomic = true)
        void run() {}
    }

    /** H2 under the name of a database that nobody here knows. */
    static class Foreign extends Empty {

        @Bean
        DataSource dataSource() {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            return new DelegatingDataSource(h2) {
                @Override
                public Connection getConnection() throws SQLException {
                    return answering(
                            Connection.class,
                            super.getConnection(),
                            "getMetaData",
                            metaData -> answering(
                                    DatabaseMetaData.class,
                                    (DatabaseMetaData) metaData,
                                    "getDatabaseProductName",
                                    name -> "HSQL Database Engine"));
                }
            };
        }

        private static <T> T answering(Class<T> type, T target, String method, UnaryOperator<Object> change) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                        try {
                            Object answer = called.invoke(target, arguments);
                            return called.getName().equals(method) ? change.apply(answer) : answer;
                        } catch (InvocationTargetException error) {
                            throw error.getCause();
                        }
                    }));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoQueues {

        @DelayedJob(name = "send", queue = "mail")
        void send() {}

        @DelayedJob(name = "copy", queue = "bulk")
        void copy() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Worker {
        @DelayedJob("x")
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoOfOneName {

        @Bean
        First first() {
            return new First();
        }

        @Bean
        Second second() {
            return new Second();
        }
    }

    static class First {
        @DelayedJob("x")
        void run() {}
    }

    static class Second {
        @DelayedJob("x")
        void run() {}
    }

    static class FinalMethod extends Empty {
        @Deferred(name = "x")
        public final void run() {}
    }

    @Import(FinalClass.class)
    static class OfFinalClass extends Empty {}

    static final class FinalClass {
        @Deferred(name = "x")
        void run() {}
    }

    static class OpensFile extends Empty {
        @DelayedJob("x")
        void run(InputStream from) {}
    }

    static class Calls extends Empty {
        @DelayedJob("x")
        void run(long id, List<Runnable> back) {}
    }

    static class Opaque extends Empty {
        @DelayedJob("x")
        void run(Secret secret) {}
    }

    static class Secret {
        private String text = "";
    }

    static class ScheduledToo extends Empty {
        @DelayedJob("x")
        @Scheduled(fixedRate = 1000)
        void run() {}
    }

    @Async
    static class AsyncToo extends Empty {
        @DelayedJob("x")
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class GapsAndDelay {
        @DelayedJob(name = "x", retry = @Retry(gaps = "1s", delay = "2s"))
        void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Lambda {
        @Bean
        ApplicationRunner runner(DelayJobOperations jobs) {
            return arguments -> jobs.schedule((First first) -> first.run()).now();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class NotAnnotated {
        @Bean
        ApplicationRunner runner(DelayJobOperations jobs) {
            return arguments -> jobs.schedule(NotAnnotated::run).now();
        }

        void run() {}
    }
}
