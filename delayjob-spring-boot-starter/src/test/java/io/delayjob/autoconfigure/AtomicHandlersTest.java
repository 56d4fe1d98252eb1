package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.event.JobListener;
import io.delayjob.handler.JobContext;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What an atomic handler writes to the job tables' database stays if and only if its attempt ends well. */
@ExtendWith(OutputCaptureExtension.class)
class AtomicHandlersTest {

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
            .withBean(Ends.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    private static JdbcTemplate ledger(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("CREATE TABLE booking (what VARCHAR(100))");
        return jdbc;
    }

    private static List<String> bookings(AssertableApplicationContext context) {
        return context.getBean(Ledger.class).bookings();
    }

    @Test
    void exception_rollsBackAndTheRetryCommits() {
        contexts.withUserConfiguration(OneDatabase.class).run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            Scheduled job = jobs.schedule(Ledger::bookAtSecondTry).with("rent").now();

            assertThat(context.getBean(Ends.class).next()).isEqualTo("FAILED");
            assertThat(context.getBean(Ends.class).next()).isEqualTo("SUCCEEDED");
            assertThat(bookings(context)).containsExactly("attempt 2: rent");
            assertThat(jobs.find(job.id()).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        });
    }

    @Test
    void transactionalMethods_takePart_andThoseThatRequireANewOneDoNot() {
        contexts.withUserConfiguration(OneDatabase.class).run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            jobs.schedule(Ledger::bookByAuditors).with("rent").now();

            assertThat(context.getBean(Ends.class).next()).isEqualTo("FAILED");
            assertThat(context.getBean(Ends.class).next()).isEqualTo("SUCCEEDED");
            assertThat(bookings(context)).containsExactly("apart: rent", "apart: rent", "joined: rent", "read 1: rent");
        });
    }

    @Test
    void jobsThatItSchedules_areScheduledIfItEndsWell() {
        contexts.withUserConfiguration(OneDatabase.class).run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            jobs.schedule(Ledger::bookLater).with("rent").now();

            Ends ends = context.getBean(Ends.class);
            assertThat(List.of(ends.next(), ends.next(), ends.next()))
                    .containsExactly("FAILED", "SUCCEEDED", "SUCCEEDED");
            assertThat(bookings(context)).containsExactly("rent");
        });
    }

    @Test
    void deferredCalls_canBeAtomic() {
        contexts.withUserConfiguration(OneDatabase.class).run(context -> {
            context.getBean(Ledger.class).bookDeferred("rent");

            assertThat(context.getBean(Ends.class).next()).isEqualTo("FAILED");
            assertThat(context.getBean(Ends.class).next()).isEqualTo("SUCCEEDED");
            assertThat(bookings(context)).containsExactly("deferred: rent");
        });
    }

    @Test
    void atomicHandler_hasItsJobInTheLoggingContext() {
        contexts.withUserConfiguration(OneDatabase.class)
                .withBean(Talkative.class)
                .run(context -> {
                    Scheduled job = context.getBean(DelayJobOperations.class)
                            .schedule("talk")
                            .now();

                    assertThat(context.getBean(Ends.class).next()).isEqualTo("SUCCEEDED");
                    assertThat(context.getBean(Talkative.class).seen)
                            .containsEntry("delayjob.id", job.id().toString())
                            .containsEntry("delayjob.name", "talk");
                });
    }

    static class Talkative {
        private final Map<String, String> seen = new ConcurrentHashMap<>();

        @DelayedJob(value = "talk", atomic = true)
        void talk() {
            seen.putAll(MDC.getCopyOfContextMap());
        }
    }

    @Test
    void secondDatabase_isTheOneThatIsAtomic() {
        contexts.withUserConfiguration(TwoDatabases.class).run(context -> {
            context.getBean(DelayJobOperations.class)
                    .schedule(Ledger::bookAtSecondTry)
                    .with("rent")
                    .now();

            assertThat(context.getBean(Ends.class).next()).isEqualTo("FAILED");
            assertThat(context.getBean(Ends.class).next()).isEqualTo("SUCCEEDED");
            assertThat(bookings(context)).containsExactly("attempt 2: rent");
        });
    }

    @Test
    void memoryStore_isRefused() {
        contexts.withUserConfiguration(OneDatabase.class)
                .withPropertyValues("delayjob.store=memory")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("is atomic, but the job store (memory) has no transactions")
                        .hasStackTraceContaining("delayjob.store=jdbc"));
    }

    // ---- the pool

    @Test
    void poolThatAtomicHandlersCanExhaust_isWarnedOf(CapturedOutput output) {
        contexts.withUserConfiguration(OneDatabase.class)
                .withPropertyValues("delayjob.queues.default.concurrency=4")
                .run(context -> assertThat(output)
                        .contains(
                                "Atomic handlers may need 4 connections at a time (by queue: {default=4}). But the pool "
                                        + "has only 7 connections, which these handlers share with delayjob and with your own code",
                                "Enlarge the pool to 8 connections"));
    }

    @Test
    void poolThatIsLargeEnough_isNot(CapturedOutput output) {
        contexts.withUserConfiguration(OneDatabase.class)
                .withPropertyValues("delayjob.queues.default.concurrency=3")
                .run(context -> assertThat(output).doesNotContain("Atomic handlers may need"));
    }

    @Test
    void limitsOfHandlers_count(CapturedOutput output) {
        contexts.withUserConfiguration(Limited.class)
                .run(context -> assertThat(output)
                        .contains("Atomic handlers may need 9 connections at a time (by queue: {limited=9})"));
    }

    @Test
    void callers_findAConnectionWhileAtomicHandlersWantMoreThanThePoolHas() {
        contexts.withUserConfiguration(Holding.class).run(context -> {
            Holder holder = context.getBean(Holder.class);
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            for (int i = 0; i < 16; i++) {
                jobs.schedule(Holder::hold).now();
            }
            assertThat(holder.holding.tryAcquire(5, 30, TimeUnit.SECONDS))
                    .as("all but two of the seven connections are held")
                    .isTrue();

            for (int i = 0; i < 20; i++) {
                assertThat(jobs.schedule("elsewhere").now()).isNotNull();
            }

            holder.released.countDown();
            Ends ends = context.getBean(Ends.class);
            for (int i = 0; i < 16; i++) {
                assertThat(ends.next()).isEqualTo("SUCCEEDED");
            }
        });
    }

    /** How attempts end, as it becomes durable. */
    static class Ends implements JobListener {
        private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            ends.add(outcome.label());
        }

        String next() throws InterruptedException {
            return String.valueOf(ends.poll(30, TimeUnit.SECONDS));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneDatabase {

        @Bean
        DataSource dataSource() {
            return pool();
        }

        @Bean
        Auditors auditors(DataSource dataSource, PlatformTransactionManager manager) {
            return new Auditors(new JdbcTemplate(dataSource), manager);
        }

        @Bean
        Ledger ledger(DataSource dataSource, DelayJobOperations jobs, Auditors auditors) {
            return new Ledger(AtomicHandlersTest.ledger(dataSource), jobs, auditors);
        }

        static DataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            pool.setMaximumPoolSize(7);
            return pool;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        @Primary
        DataSource main() {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            return dataSource;
        }

        @Bean(defaultCandidate = false)
        @DelayJobDataSource
        DataSource jobs() {
            return OneDatabase.pool();
        }

        @Bean
        Ledger ledger(@DelayJobDataSource DataSource jobs, DelayJobOperations operations) {
            return new Ledger(AtomicHandlersTest.ledger(jobs), operations, null);
        }
    }

    static class Auditors {
        private final JdbcTemplate jdbc;
        private final TransactionTemplate readOnly;

        Auditors(JdbcTemplate jdbc, PlatformTransactionManager manager) {
            this.jdbc = jdbc;
            this.readOnly = new TransactionTemplate(manager);
            readOnly.setReadOnly(true);
        }

        @Transactional
        public void joined(String what) {
            jdbc.update("INSERT INTO booking VALUES (?)", "joined: " + what);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void apart(String what) {
            jdbc.update("INSERT INTO booking VALUES (?)", "apart: " + what);
        }

        Integer read() {
            return readOnly.execute(status ->
                    jdbc.queryForObject("SELECT count(*) FROM booking WHERE what LIKE 'joined%'", Integer.class));
        }
    }

    static class Ledger {
        private final JdbcTemplate jdbc;
        private final DelayJobOperations jobs;
        private final Auditors auditors;

        Ledger(JdbcTemplate jdbc, DelayJobOperations jobs, Auditors auditors) {
            this.jdbc = jdbc;
            this.jobs = jobs;
            this.auditors = auditors;
        }

        List<String> bookings() {
            return jdbc.queryForList("SELECT what FROM booking ORDER BY what", String.class);
        }

        private void book(String what) {
            jdbc.update("INSERT INTO booking VALUES (?)", what);
        }

        private static void throwAtFirst(JobContext job) {
            if (job.failures() == 0) {
                throw new IllegalStateException("not yet");
            }
        }

        @DelayedJob(name = "second-try", atomic = true, retry = @Retry(gaps = "10ms"))
        void bookAtSecondTry(String what, JobContext job) {
            book("attempt %d: %s".formatted(job.attempt(), what));
            throwAtFirst(job);
        }

        @DelayedJob(name = "by-auditors", atomic = true, retry = @Retry(gaps = "10ms"))
        void bookByAuditors(String what, JobContext job) {
            auditors.joined(what);
            auditors.apart(what);
            book("read %d: %s".formatted(auditors.read(), what));
            throwAtFirst(job);
        }

        @DelayedJob(name = "later", atomic = true, retry = @Retry(gaps = "10ms"))
        void bookLater(String what, JobContext job) {
            jobs.schedule(Ledger::bookNow).with(what).now();
            throwAtFirst(job);
        }

        @DelayedJob("now")
        void bookNow(String what) {
            book(what);
        }

        private int deferredCalls;

        @Deferred(name = "deferred", atomic = true, retry = @Retry(gaps = "10ms"))
        public void bookDeferred(String what) {
            book("deferred: " + what);
            if (deferredCalls++ == 0) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Holding {

        @Bean
        DataSource dataSource() {
            HikariDataSource pool = (HikariDataSource) OneDatabase.pool();
            pool.setConnectionTimeout(2_000);
            return pool;
        }

        @Bean
        Holder holder() {
            return new Holder();
        }
    }

    static class Holder {
        private final Semaphore holding = new Semaphore(0);
        private final CountDownLatch released = new CountDownLatch(1);

        @DelayedJob(name = "hold", atomic = true)
        void hold() throws InterruptedException {
            holding.release();
            released.await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Limited {

        @Bean
        DataSource dataSource() {
            return OneDatabase.pool();
        }

        @DelayedJob(name = "a", queue = "limited", atomic = true, concurrency = 4)
        void four() {}

        @DelayedJob(name = "b", queue = "limited", atomic = true, concurrency = 5)
        void five() {}

        @DelayedJob(name = "c", queue = "limited", concurrency = 8)
        void eight() {}
    }
}
