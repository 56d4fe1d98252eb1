package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.handler.UnsupportedHandlerException;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.TestRedis;
import io.delayjob.redis.TestRedisServer;
import io.delayjob.store.Durability;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

@ExtendWith(OutputCaptureExtension.class)
class DelayJobRedisAutoConfigurationTest {

    private final ApplicationContextRunner anywhere = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    DelayJobAutoConfiguration.class,
                    DelayJobAbsenceAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobRedisAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withPropertyValues("delayjob.store=redis", "delayjob.redis.namespace=" + TestRedis.namespace());

    private final ApplicationContextRunner contexts = anywhere.withPropertyValues(
            "spring.data.redis.url=" + url(TestRedis.uri().getPort()));

    private final ApplicationContextRunner withDatabase = contexts.withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    private static String url(int port) {
        return "redis://127.0.0.1:" + port;
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRoot(AssertableApplicationContext context) {
        return assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()));
    }

    @Test
    void jobsAndLeasesAreInRedis_andNothingOfJdbcIsMade() {
        withDatabase.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(RedisJobStore.class)
                    .hasSingleBean(LeaseProvider.class)
                    .hasSingleBean(DelayJobEngine.class)
                    .doesNotHaveBean(JdbcJobStore.class)
                    .doesNotHaveBean(JobDatabase.class)
                    .doesNotHaveBean(LockProvider.class);
            assertThat(context.getBean(JobStore.class).capabilities().durability())
                    .isEqualTo(Durability.SERVER);
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForList("SELECT table_name FROM information_schema.tables"
                                    + " WHERE table_schema = 'PUBLIC'"))
                    .isEmpty();
        });
    }

    @Test
    void storeBeanOfTheApplication_replacesIt() {
        contexts.withBean(JobStore.class, () -> new MemoryJobStore(() -> 0))
                .withBean(LeaseProvider.class, LocalLeases::new)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(RedisJobStore.class)
                        .doesNotHaveBean(JobRedis.class));
    }

    @ParameterizedTest
    @CsvSource({
        "io.delayjob.redis, delayjob-redis-store",
        "org.springframework.data.redis, spring-boot-starter-data-redis",
        "net.javacrumbs.shedlock.provider.redis, shedlock-provider-redis-spring"
    })
    void missingJar_isNamed(String packageName, String artifact) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DelayJobAutoConfiguration.class,
                        DelayJobAbsenceAutoConfiguration.class,
                        DelayJobRedisAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class))
                .withPropertyValues("delayjob.store=redis")
                .withClassLoader(new FilteredClassLoader(packageName))
                .run(context -> assertRoot(context)
                        .isInstanceOf(InvalidSettingException.class)
                        .hasMessage(
                                "Invalid delayjob.store 'redis': needs jars that are missing on the class path. Add "
                                        + "these dependencies: " + artifact + "."));
    }

    @Test
    void withoutConnectionFactory_failsWithTheNextStep() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DelayJobAutoConfiguration.class,
                        DelayJobAbsenceAutoConfiguration.class,
                        DelayJobRedisAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class))
                .withPropertyValues("delayjob.store=redis")
                .run(context -> assertRoot(context)
                        .isInstanceOfSatisfying(
                                JobDatabaseException.class,
                                failure -> assertThat(failure.action()).contains("spring-boot-starter-data-redis"))
                        .hasMessage(
                                "delayjob.store=redis needs a bean of type LettuceConnectionFactory, but found none."));
    }

    @Test
    void markedConnectionFactory_isTaken_notThePrimaryOne() {
        contexts.withUserConfiguration(CacheAndJobs.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(RedisJobStore.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class CacheAndJobs {

        @Bean
        @Primary
        LettuceConnectionFactory cache() throws IOException {
            return new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", closedPort()));
        }

        @Bean
        @DelayJobRedis
        LettuceConnectionFactory jobs() {
            return new LettuceConnectionFactory(new RedisStandaloneConfiguration(
                    "127.0.0.1", TestRedis.uri().getPort()));
        }
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void serverThatDoesNotAnswer_failsWithTheNextStep() throws IOException {
        anywhere.withPropertyValues("spring.data.redis.url=" + url(closedPort()))
                .run(context -> assertUnfit(
                        context,
                        failure -> assertThat(failure)
                                .hasMessageStartingWith("delayjob cannot reach the Redis of its jobs: ")));
    }

    @Test
    void serverThatMayEvict_isRefused() {
        try (TestRedisServer server = TestRedisServer.start("--maxmemory-policy", "allkeys-lru")) {
            anywhere.withPropertyValues("spring.data.redis.url=" + url(server.port()))
                    .run(context -> assertUnfit(context, failure -> {
                        assertThat(failure)
                                .hasMessage(
                                        "Redis at 127.0.0.1:%d must not keep jobs: its maxmemory-policy is allkeys-lru, so it may delete jobs when its memory is full."
                                                .formatted(server.port()));
                        assertThat(failure.action()).contains("noeviction", "@DelayJobRedis");
                    }));
        }
    }

    @Test
    void replica_isRefused() throws IOException {
        try (TestRedisServer server = TestRedisServer.start("--replicaof", "127.0.0.1", "" + closedPort())) {
            anywhere.withPropertyValues("spring.data.redis.url=" + url(server.port()))
                    .run(context -> assertUnfit(
                            context,
                            failure -> assertThat(failure)
                                    .hasMessageContaining("it is a replica, which takes no writes")));
        }
    }

    private static void assertUnfit(AssertableApplicationContext context, Consumer<JobDatabaseException> check) {
        assertThat(context).hasFailed();
        Throwable failure = context.getStartupFailure();
        while (failure instanceof BeanCreationException) {
            failure = failure.getCause();
        }
        while (!(failure instanceof JobDatabaseException) && failure.getCause() != null) {
            failure = failure.getCause();
        }
        assertThat(failure).isInstanceOfSatisfying(JobDatabaseException.class, check);
    }

    @Test
    void withoutAppendOnlyFile_aWarningIsLogged(CapturedOutput output) {
        try (TestRedisServer volatileOne = TestRedisServer.start("--appendonly", "no");
                TestRedisServer durable = TestRedisServer.start("--appendonly", "yes")) {
            anywhere.withPropertyValues("spring.data.redis.url=" + url(volatileOne.port()))
                    .run(context -> assertThat(context).hasNotFailed());
            anywhere.withPropertyValues("spring.data.redis.url=" + url(durable.port()))
                    .run(context -> assertThat(context).hasNotFailed());

            assertThat(output)
                    .contains("Redis at 127.0.0.1:%d writes no append-only file".formatted(volatileOne.port()))
                    .doesNotContain("127.0.0.1:%d writes no append-only file".formatted(durable.port()));
        }
    }

    @Test
    void waitReplicas_makesJobsSurviveAFailover() {
        try (TestRedisServer master = TestRedisServer.start("--appendonly", "yes");
                TestRedisServer replica = TestRedisServer.startReplica("127.0.0.1", master.port())) {
            anywhere.withPropertyValues("spring.data.redis.url=" + url(master.port()), "delayjob.redis.wait-replicas=1")
                    .withBean(Greeter.class)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBean(JobStore.class)
                                        .capabilities()
                                        .durability())
                                .isEqualTo(Durability.REPLICAS);
                        Scheduled scheduled = context.getBean(DelayJobOperations.class)
                                .schedule(Greeter::greet)
                                .after(Duration.ofHours(1));
                        assertThat(scheduled.outcome()).isEqualTo(Outcome.CREATED);
                        assertThat(replica.pid()).isPositive();
                    });
        }
    }

    @Test
    void waitReplicas_withTooFewReplicas_warnsAtStart_andRefusesJobsWithTheNextStep(CapturedOutput output) {
        try (TestRedisServer alone = TestRedisServer.start("--appendonly", "yes")) {
            anywhere.withPropertyValues(
                            "spring.data.redis.url=" + url(alone.port()),
                            "delayjob.redis.wait-replicas=1",
                            "delayjob.liveness=4s",
                            "delayjob.heartbeat=1s")
                    .withBean(Greeter.class)
                    .run(context -> {
                        assertThat(output)
                                .contains(
                                        "Redis at 127.0.0.1:%d has 0 connected replicas, but delayjob.redis.wait-replicas is 1"
                                                .formatted(alone.port()));
                        assertThatThrownBy(() -> context.getBean(DelayJobOperations.class)
                                        .schedule(Greeter::greet)
                                        .after(Duration.ofHours(1)))
                                .isInstanceOfSatisfying(
                                        StoreException.class,
                                        refused -> assertThat(refused.isTransient())
                                                .isTrue())
                                .hasMessageContaining("0 of 1 replicas confirmed it")
                                .hasMessageContaining("wait-replicas");
                    });
        }
    }

    @Test
    void serverThatRefusesInfo_failsWithTheNextStep() {
        try (TestRedisServer server =
                TestRedisServer.start("--user", "default", "on", "nopass", "~*", "&*", "+@all", "-info")) {
            anywhere.withPropertyValues("spring.data.redis.url=" + url(server.port()))
                    .run(context -> assertUnfit(context, failure -> {
                        assertThat(failure).hasMessageStartingWith("Redis does not answer INFO");
                        assertThat(failure.action()).contains("+info");
                    }));
        }
    }

    @Test
    void otherNumberOfSlots_isRefused() {
        contexts.withPropertyValues("delayjob.redis.slots=4")
                .run(context -> assertThat(context).hasNotFailed());
        contexts.withPropertyValues("delayjob.redis.slots=8")
                .run(context -> assertUnfit(
                        context, failure -> assertThat(failure.action()).contains("delayjob.redis.slots")));
    }

    @ParameterizedTest
    @CsvSource({"slots, 3", "slots, 2048", "namespace, a b", "wait-replicas, 17"})
    void invalidSettings_areNamed(String key, String value) {
        contexts.withPropertyValues("delayjob.redis.%s=%s".formatted(key, value))
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(failure -> assertThat(NestedExceptionUtils.getRootCause(failure))
                                .hasMessageContaining(value)));
    }

    @Test
    void callInATransaction_waitsByDefault_andIsRefusedOrMadeAtOnceByChoice() {
        assertThat(outcomeInTransaction("")).contains(Outcome.ON_COMMIT);
        assertThat(outcomeInTransaction("delayjob.redis.in-transaction=now")).contains(Outcome.CREATED);
        assertThat(outcomeInTransaction("delayjob.redis.in-transaction=refuse")).isEmpty();
    }

    private Optional<Outcome> outcomeInTransaction(String property) {
        Outcome[] outcome = new Outcome[1];
        withDatabase
                .withPropertyValues(property.isEmpty() ? "delayjob.enabled=true" : property)
                .withBean(Greeter.class)
                .run(context -> context.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
                    try {
                        outcome[0] = context.getBean(DelayJobOperations.class)
                                .schedule(Greeter::greet)
                                .after(Duration.ofHours(1))
                                .outcome();
                    } catch (StoreException refused) {
                        assertThat(refused).hasMessageContaining("within a transaction");
                    }
                }));
        return Optional.ofNullable(outcome[0]);
    }

    @Test
    void leaseProvider_mayBeABean_butNotJdbc() {
        contexts.withPropertyValues("delayjob.lease.provider=locks")
                .withBean("locks", LockProvider.class, NoLocks::new)
                .run(context -> assertThat(context).hasNotFailed());
        contexts.withPropertyValues("delayjob.lease.provider=jdbc")
                .run(context -> assertRoot(context)
                        .hasMessageContaining("Invalid delayjob.lease.provider 'jdbc': must be 'redis', 'bean'"));
    }

    private static final class NoLocks implements LockProvider {

        @Override
        public Optional<SimpleLock> lock(LockConfiguration configuration) {
            return Optional.empty();
        }
    }

    @Test
    void atomicHandler_isRefused() {
        contexts.withBean(Atomic.class)
                .run(context -> assertRoot(context)
                        .isInstanceOf(UnsupportedHandlerException.class)
                        .hasMessageContaining("Handler 'book' is atomic, but the job store (Redis")
                        .hasMessageContaining("has no transactions for handlers"));
    }

    static class Greeter {

        @DelayedJob("greet")
        void greet() {}
    }

    static class Atomic {

        @DelayedJob(name = "book", atomic = true)
        void book() {}
    }
}
