package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.shedlock.ShedLockLeaseProvider;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.time.StoreClock;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Answers;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
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
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@ExtendWith(OutputCaptureExtension.class)
class DelayJobJdbcAutoConfigurationTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    private static List<String> tables(AssertableApplicationContext context) {
        return context.getBean(JdbcTemplate.class)
                .queryForList(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'", String.class);
    }

    @Test
    void embeddedDatabase_isInitialized() {
        contexts.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(JdbcJobStore.class);
            assertThat(context).getBean(LeaseProvider.class).isInstanceOf(ShedLockLeaseProvider.class);
            assertThat(context).doesNotHaveBean(LockProvider.class);
            assertThat(tables(context))
                    .containsExactlyInAnyOrder(
                            "DELAYJOB_JOB",
                            "DELAYJOB_HISTORY",
                            "DELAYJOB_ATTEMPT",
                            "DELAYJOB_INSTANCE",
                            "DELAYJOB_QUEUE",
                            "DELAYJOB_NOTICE",
                            "DELAYJOB_IDENTITY",
                            "DELAYJOB_MINUTE",
                            "DELAYJOB_GROUP",
                            "DELAYJOB_GROUP_CHANGE",
                            "SHEDLOCK");
        });
    }

    @Test
    void initializeSchemaNever_leavesTheDatabaseAloneAndSaysSo() {
        contexts.withPropertyValues("delayjob.jdbc.initialize-schema=never").run(context -> {
            assertThat(context).getFailure().hasRootCauseInstanceOf(SQLException.class);
            assertThat(context).getFailure().isInstanceOf(UnusableJobTablesException.class);
        });
    }

    @Test
    void databaseOnAServer_isInitializedWhenAsked() {
        String server = "spring.datasource.url=jdbc:h2:file:%s/%s"
                .formatted(System.getProperty("java.io.tmpdir"), UUID.randomUUID());
        contexts.withPropertyValues(server).run(context -> assertThat(context).hasFailed());
        contexts.withPropertyValues(server, "delayjob.jdbc.initialize-schema=always")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void tablePrefix_isThatOfAllTables() {
        contexts.withPropertyValues("delayjob.jdbc.table-prefix=app1_jobs_")
                .withUserConfiguration(Greeter.class)
                .run(context -> {
                    assertThat(tables(context)).contains("APP1_JOBS_JOB", "APP1_JOBS_QUEUE", "SHEDLOCK");
                    assertThat(tables(context)).noneMatch(table -> table.startsWith("DELAYJOB"));
                    assertGreets(context);
                });
    }

    @Test
    void tablePrefixThatIsNone_isRefused() {
        contexts.withPropertyValues("delayjob.jdbc.table-prefix=x; DROP TABLE orders; --")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("Invalid table prefix"));
    }

    @Test
    void schema_isAnotherScript() {
        contexts.withPropertyValues("delayjob.jdbc.schema=classpath:custom-schema-@@platform@@.sql")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("custom-schema-h2.sql"));
    }

    @Test
    void platform_choosesTheScript() {
        contexts.withPropertyValues("delayjob.jdbc.platform=other")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("schema-other.sql"));
    }

    @Test
    void requireTransaction_refusesCallsWithout() {
        contexts.withPropertyValues("delayjob.jdbc.require-transaction=true")
                .withUserConfiguration(Greeter.class)
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(Greeter.class).greet("Ann"))
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining("delayjob.jdbc.require-transaction");
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(
                                    tx -> context.getBean(Greeter.class).greet("Bob"));
                    assertThat(context.getBean(Greeter.class).greeted.get(30, TimeUnit.SECONDS))
                            .isEqualTo("Bob");
                });
    }

    @Test
    void jobsThatStartByThemselves_startWhereTransactionsAreRequired() {
        contexts.withPropertyValues("delayjob.jdbc.require-transaction=true")
                .withUserConfiguration(Ticker.class)
                .run(context -> assertThat(context.getBean(Ticker.class).ticked.await(30, TimeUnit.SECONDS))
                        .isTrue());
    }

    @Test
    void jobsThatStartByThemselves_startInWhicheverVersionIsDeployed() {
        ApplicationContextRunner sameDatabase = contexts.withPropertyValues(
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        startAndRun(sameDatabase, HourlyTicker.class, "tick", "tick");
        startAndRun(sameDatabase, RenamedTicker.class, "tock", "tock");
        startAndRun(sameDatabase, HourlyTicker.class, "tick", "tick", "tock");
        startAndRun(sameDatabase, RenamedTicker.class, "tock", "tock");
    }

    /** @param unfinished the names of all jobs that there are then */
    private static void startAndRun(
            ApplicationContextRunner contexts, Class<? extends Ticking> version, String name, String... unfinished) {
        contexts.withUserConfiguration(version).run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            await().untilAsserted(() -> assertThat(unfinished(jobs))
                    .extracting(Job::name)
                    .as("once %s has declared its job", version.getSimpleName())
                    .containsExactlyInAnyOrder(unfinished));
            Job declared = jobs.find(name, Job.DECLARED_KEY).orElseThrow();
            jobs.reschedule(declared.id(), Duration.ZERO);
            assertThat(context.getBean(version).ticked.await(30, TimeUnit.SECONDS))
                    .isTrue();
            // While a run of it is under way, a job keeps its name.
            await().untilAsserted(() -> assertThat(unfinished(jobs)).allMatch(job -> job.state() == JobState.DELAYED));
        });
    }

    private static List<Job> unfinished(DelayJobOperations jobs) {
        return jobs.find(JobQuery.all()).stream()
                .filter(job -> !job.state().isEnded())
                .toList();
    }

    @Test
    void transactionTemplate_isTheApplications() {
        contexts.run(context -> assertThat(context)
                .hasSingleBean(TransactionTemplate.class)
                .hasSingleBean(PlatformTransactionManager.class));
    }

    @Test
    void storeOfTheApplication_takesItsPlace() {
        contexts.withBean(JobStore.class, () -> new MemoryJobStore(StoreClock::wallMicros))
                .withBean(LeaseProvider.class, LocalLeases::new)
                .withUserConfiguration(Greeter.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(JobStore.class).doesNotHaveBean(JdbcJobStore.class);
                    assertThat(tables(context)).isEmpty();
                    assertGreets(context);
                });
    }

    @Test
    void jobs_run() {
        contexts.withUserConfiguration(Greeter.class).run(DelayJobJdbcAutoConfigurationTest::assertGreets);
    }

    private static void assertGreets(AssertableApplicationContext context) throws Exception {
        Greeter greeter = context.getBean(Greeter.class);
        greeter.greet("Ann");
        assertThat(greeter.greeted.get(30, TimeUnit.SECONDS)).isEqualTo("Ann");
    }

    @Test
    void rollback_ofTheCaller_takesTheJobWithIt() {
        contexts.withUserConfiguration(Greeter.class).run(context -> {
            Greeter greeter = context.getBean(Greeter.class);
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            Scheduled undone = transaction.execute(tx -> {
                tx.setRollbackOnly();
                return greeter.greet("nobody");
            });
            assertThat(jobs.find(undone.id())).isEmpty();
            assertThat(jobs.find(JobQuery.all())).isEmpty();
            assertGreets(context);
        });
    }

    @Test
    void cancelThatRollsBack_leavesTheJob() {
        contexts.withUserConfiguration(Greeter.class).run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            Scheduled later =
                    jobs.schedule(Greeter::hello).with("Ann").key("Ann").after(Duration.ofDays(1));
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(tx -> {
                jobs.cancel(Greeter::hello, "Ann");
                tx.setRollbackOnly();
            });
            assertThat(jobs.find(later.id()))
                    .get()
                    .satisfies(job -> assertThat(job.state().isEnded()).isFalse());
        });
    }

    @Test
    void secondDatabase_isThatOfTheJobsWhenMarked() {
        contexts.withUserConfiguration(TwoDatabases.class, Greeter.class).run(context -> {
            assertThat(context).hasNotFailed();
            DataSource jobs = context.getBean("jobs", DataSource.class);
            assertThat(new JdbcTemplate(jobs).queryForObject("SELECT count(*) FROM delayjob_job", Integer.class))
                    .isZero();
            assertThat(tables(context)).isEmpty();
            assertGreets(context);
        });
    }

    @Test
    void transactionManagerOfTheSecondDatabase_isJoinedWhenMarked() {
        contexts.withUserConfiguration(TwoDatabases.class, MarkedManager.class, Greeter.class)
                .withPropertyValues("delayjob.jdbc.require-transaction=true")
                .run(context -> {
                    Greeter greeter = context.getBean(Greeter.class);
                    new TransactionTemplate(context.getBean("jobsManager", PlatformTransactionManager.class))
                            .executeWithoutResult(tx -> greeter.greet("Ann"));
                    assertThat(greeter.greeted.get(30, TimeUnit.SECONDS)).isEqualTo("Ann");
                });
    }

    @Test
    void onlyManagerOfTheSecondDatabase_isTheStores() {
        contexts.withUserConfiguration(TwoDatabases.class, TwoManagers.class, Greeter.class)
                .run(context -> assertThat(context.getBean(JobDatabase.class).transactionManager())
                        .isSameAs(context.getBean("ofJobs")));
    }

    @Test
    void onlyManagerOfTheSecondDatabase_isTheStores_evenIfItIsNoDefaultCandidate() {
        contexts.withUserConfiguration(TwoDatabases.class, QualifiedManager.class)
                .run(context -> assertThat(context.getBean(JobDatabase.class).transactionManager())
                        .isSameAs(context.getBean("qualified")));
    }

    @Test
    void managerOfABeanThatSchedulesJobs_isNoCycle() {
        List<Class<?>[]> orders = List.of(
                new Class<?>[] {TwoDatabases.class, Audit.class, AuditedManager.class, QualifiedManager.class},
                new Class<?>[] {TwoDatabases.class, AuditedManager.class, Audit.class, QualifiedManager.class});
        for (Class<?>[] order : orders) {
            contexts.withUserConfiguration(order).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBean(JobDatabase.class).transactionManager())
                        .isSameAs(context.getBean("qualified"));
            });
        }
    }

    @Test
    void managerThatCannotBeMade_stopsTheStart() {
        contexts.withUserConfiguration(TwoDatabases.class, BrokenManager.class)
                .run(context -> assertThat(context).getFailure().hasRootCauseMessage("no licence"));
    }

    @Test
    void managerOfJpaWithoutJdbcConnections_isNotTheStores() {
        contexts.withUserConfiguration(TwoDatabases.class, PlainJpaManager.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(JobDatabase.class).transactionManager())
                            .isInstanceOf(JdbcTransactionManager.class);
                });
    }

    @Test
    void transactionOnAnotherDatabase_isWarnedOfOnce(CapturedOutput output) {
        contexts.withUserConfiguration(TwoDatabases.class, MarkedManager.class, Greeter.class)
                .run(context -> {
                    Greeter greeter = context.getBean(Greeter.class);
                    new TransactionTemplate(context.getBean("jobsManager", PlatformTransactionManager.class))
                            .executeWithoutResult(tx -> greeter.greet("Ann"));
                    greeter.greet("Bob");
                    assertThat(output).doesNotContain("within a transaction that does not use the DataSource");

                    TransactionTemplate elsewhere =
                            new TransactionTemplate(new JdbcTransactionManager(context.getBean(DataSource.class)));
                    elsewhere.executeWithoutResult(tx -> greeter.greet("Cid"));
                    elsewhere.executeWithoutResult(tx -> greeter.greet("Dan"));
                    assertThat(output).containsOnlyOnce("within a transaction that does not use the DataSource");
                });
    }

    @Test
    void leaseProviderBean_isTheOnlyLockProvider() {
        contexts.withUserConfiguration(OwnLocks.class)
                .withPropertyValues("delayjob.lease.provider=bean")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockProvider.class));
    }

    @Test
    void leaseProvider_isTheBeanOfThatName() {
        contexts.withUserConfiguration(OwnLocks.class)
                .withPropertyValues("delayjob.lease.provider=ownLocks")
                .run(context -> {
                    context.getBean(LeaseProvider.class).acquire("x", Duration.ofSeconds(1));
                    verify(context.getBean(LockProvider.class), atLeastOnce()).lock(any());
                });
    }

    @Test
    void leaseProviderThatIsNone_isRefused() {
        contexts.withPropertyValues("delayjob.lease.provider=zookeeper")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Invalid delayjob.lease.provider 'zookeeper'"));
    }

    @Test
    void memoryStore_needsNoJdbcStore() {
        contexts.withPropertyValues("delayjob.store=memory")
                .withClassLoader(new FilteredClassLoader("io.delayjob.jdbc"))
                .withUserConfiguration(Greeter.class)
                .run(DelayJobJdbcAutoConfigurationTest::assertGreets);
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        @Primary
        DataSource main() {
            return database();
        }

        @Bean(defaultCandidate = false)
        @DelayJobDataSource
        DataSource jobs() {
            return database();
        }

        private static DataSource database() {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            return dataSource;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedManager {

        @Bean(defaultCandidate = false)
        @DelayJobTransactionManager
        PlatformTransactionManager jobsManager(@DelayJobDataSource DataSource jobs) {
            return new JdbcTransactionManager(jobs);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoManagers {

        @Bean
        @Primary
        PlatformTransactionManager ofMain(DataSource main) {
            return new JdbcTransactionManager(main);
        }

        @Bean
        PlatformTransactionManager ofJobs(@DelayJobDataSource DataSource jobs) {
            return new JdbcTransactionManager(jobs);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class QualifiedManager {

        @Bean(defaultCandidate = false)
        @Qualifier("jobs")
        PlatformTransactionManager qualified(@DelayJobDataSource DataSource jobs) {
            return new JdbcTransactionManager(jobs);
        }
    }

    /** Like an entity listener of JPA that schedules jobs. */
    static class Audit {

        Audit(DelayJobOperations jobs) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class AuditedManager {

        @Bean
        @Primary
        PlatformTransactionManager audited(DataSource main, Audit audit) {
            return new JdbcTransactionManager(main);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BrokenManager {

        @Bean
        PlatformTransactionManager broken() {
            throw new IllegalStateException("no licence");
        }
    }

    /** The dialect of this manager does not know the connection of a transaction. */
    @Configuration(proxyBeanMethods = false)
    static class PlainJpaManager {

        @Bean
        PlatformTransactionManager jpa(@DelayJobDataSource DataSource jobs) {
            JpaTransactionManager manager =
                    new JpaTransactionManager(mock(EntityManagerFactory.class, Answers.RETURNS_DEEP_STUBS));
            manager.setDataSource(jobs);
            return manager;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLocks {

        @Bean
        LockProvider ownLocks() {
            return mock(LockProvider.class, call -> Optional.empty());
        }
    }

    static class Greeter {
        private final DelayJobOperations jobs;
        private final CompletableFuture<String> greeted = new CompletableFuture<>();

        Greeter(DelayJobOperations jobs) {
            this.jobs = jobs;
        }

        Scheduled greet(String name) {
            return jobs.schedule(Greeter::hello).with(name).now();
        }

        @DelayedJob("greet")
        void hello(String name) {
            greeted.complete(name);
        }
    }

    abstract static class Ticking {
        final CountDownLatch ticked = new CountDownLatch(1);
    }

    static class Ticker extends Ticking {
        @DelayedJob(name = "tick", every = "10ms")
        void tick() {
            ticked.countDown();
        }
    }

    static class HourlyTicker extends Ticking {
        @DelayedJob(name = "tick", every = "1h")
        void tick() {
            ticked.countDown();
        }
    }

    static class RenamedTicker extends Ticking {
        @DelayedJob(name = "tock", formerNames = "tick", every = "1h")
        void tick() {
            ticked.countDown();
        }
    }
}
