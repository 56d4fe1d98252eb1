package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Instances start with {@code initialize-schema=always}, also while a transaction that has written jobs stays open. */
@Timeout(120)
class SchemaAtStartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withUserConfiguration(Receiver.class)
            .withPropertyValues("delayjob.jdbc.initialize-schema=always");

    private EmbeddedPostgres server;
    private ApplicationContextRunner instances;

    @BeforeEach
    void startServer() throws IOException {
        server = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
        instances = contexts.withPropertyValues("spring.datasource.url=" + server.getJdbcUrl("postgres", "postgres"));
    }

    @AfterEach
    void stopServer() throws IOException {
        server.close();
    }

    @Test
    void tablesInPlace_startWaitsForNoTransactionAndHoldsUpNoJob() {
        instances.run(first -> {
            try (Connection application = beginWriting()) {
                Future<?> start = CompletableFuture.runAsync(() -> instances.run(Receiver::assertReceives));
                for (int job = 0; job < 10; job++) {
                    Receiver.assertReceives(first);
                }
                start.get(60, TimeUnit.SECONDS);
                application.rollback();
            }
        });
    }

    @Test
    void missingIndex_isMadeOnceTheTransactionHasEndedAndHoldsUpNoJobUntilThen() {
        instances.run(first -> {
            JdbcTemplate jdbc = first.getBean(JdbcTemplate.class);
            jdbc.execute("DROP INDEX delayjob_job_key");
            try (Connection application = beginWriting()) {
                Future<?> start = CompletableFuture.runAsync(() -> instances.run(Receiver::assertReceives));
                await().atMost(PATIENCE).until(() -> waitsForALock(jdbc));
                for (int job = 0; job < 10; job++) {
                    Receiver.assertReceives(first);
                }
                assertThat(start).isNotDone();
                application.rollback();
                start.get(60, TimeUnit.SECONDS);
            }
            assertThat(jdbc.queryForList(
                            "SELECT indexname FROM pg_indexes WHERE tablename = 'delayjob_job'", String.class))
                    .contains("delayjob_job_key");
        });
    }

    @Test
    void instancesThatStartTogetherInAnEmptyDatabase_allStartAndShareOneIdentity() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        List<CompletableFuture<Void>> starts = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (int instance = 0; instance < 3; instance++) {
                starts.add(CompletableFuture.runAsync(
                        () -> {
                            awaitOthers(together);
                            instances.run(context -> {
                                assertThat(context).hasNotFailed();
                                await().atMost(PATIENCE)
                                        .until(() -> !context.getBean(DelayJobEngine.class)
                                                .status()
                                                .led()
                                                .isEmpty());
                                awaitOthers(together);
                            });
                        },
                        threads));
            }
            for (CompletableFuture<Void> start : starts) {
                start.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        JdbcTemplate jdbc = new JdbcTemplate(server.getPostgresDatabase());
        List<String> identities = jdbc.queryForList("SELECT identity FROM delayjob_identity", String.class);
        assertThat(identities).singleElement().asString().matches("[a-z0-9]{8}");
        assertThat(jdbc.queryForList("SELECT name FROM shedlock", String.class))
                .hasSize(8)
                .allMatch(name -> name.startsWith("delayjob-" + identities.get(0) + "-default-p"));
    }

    /** A transaction that has written a job and goes on to do something else. */
    private Connection beginWriting() throws SQLException {
        Connection connection = server.getPostgresDatabase().getConnection();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLE delayjob_job IN ROW EXCLUSIVE MODE");
        }
        return connection;
    }

    private static void awaitOthers(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static boolean waitsForALock(JdbcTemplate jdbc) {
        return Boolean.TRUE.equals(
                jdbc.queryForObject("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)", Boolean.class));
    }

    static class Receiver {
        private final Semaphore received = new Semaphore(0);

        @DelayedJob("receive")
        void receive() {
            received.release();
        }

        static void assertReceives(AssertableApplicationContext context) {
            assertThat(context).hasNotFailed();
            context.getBean(DelayJobOperations.class)
                    .schedule(Receiver::receive)
                    .after(Duration.ofMillis(50));
            Semaphore received = context.getBean(Receiver.class).received;
            await("a job").atMost(PATIENCE).until(received::tryAcquire);
        }
    }
}
