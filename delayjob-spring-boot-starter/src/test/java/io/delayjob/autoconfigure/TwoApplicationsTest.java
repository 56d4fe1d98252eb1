package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Two applications with tables of their own share a table of locks, or another lock service. */
@ExtendWith(OutputCaptureExtension.class)
class TwoApplicationsTest {

    private static final Logger log = LoggerFactory.getLogger(TwoApplicationsTest.class);

    private static final int PARTITIONS = 8;
    private static final int JOBS = 300;

    /** Longer than a pause of this machine. Half of the jobs of an application without leases are later than this. */
    private static final Duration LATEST = Duration.ofSeconds(5);

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobJdbcAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withUserConfiguration(Receiver.class)
            .withPropertyValues("delayjob.jdbc.initialize-schema=always");

    @Test
    void applicationsWithTwoPrefixesInOneSchema_leadAllPartitionsAndStartJobsOnTime() throws Exception {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.builder().setServerConfig("fsync", "off").start()) {
            // Rows due beyond the window are read by the leader, instead of being handed over by the writer.
            ApplicationContextRunner oneSchema = contexts.withPropertyValues(
                    "spring.datasource.url=" + server.getJdbcUrl("postgres", "postgres"), "delayjob.preload.window=1s");
            ApplicationContextRunner shop = oneSchema.withPropertyValues("delayjob.jdbc.table-prefix=shop_");
            ApplicationContextRunner mail = oneSchema.withPropertyValues("delayjob.jdbc.table-prefix=mail_");

            shop.run(first -> {
                awaitLeadOfAll(first);
                schedule(first);
                List<Duration> alone = latenesses(first);
                mail.run(second -> {
                    awaitLeadOfAll(second);
                    schedule(first);
                    schedule(second);
                    List<Duration> besideIt = latenesses(first);
                    List<Duration> ofTheSecond = latenesses(second);

                    log.warn(
                            "Lateness p50 / p99 of {} jobs: alone {} / {}, of two applications {} / {} and {} / {}.",
                            JOBS,
                            quantile(alone, 50),
                            quantile(alone, 99),
                            quantile(besideIt, 50),
                            quantile(besideIt, 99),
                            quantile(ofTheSecond, 50),
                            quantile(ofTheSecond, 99));
                    assertThat(quantile(ofTheSecond, 99)).isLessThan(LATEST);
                    assertThat(quantile(besideIt, 99)).isLessThan(LATEST);
                    assertThat(led(first)).isEqualTo(PARTITIONS);
                });
            });
        }
    }

    @Test
    void applicationsWithTwoDatabasesAndOneLockProvider_leadAllPartitions() {
        ApplicationContextRunner sharing = sharingLocks();
        sharing.withBean(DataSource.class, TwoApplicationsTest::database).run(first -> {
            awaitLeadOfAll(first);
            sharing.withBean(DataSource.class, TwoApplicationsTest::database).run(TwoApplicationsTest::awaitLeadOfAll);
        });
    }

    @Test
    void copiedDatabaseWithTheSameLockProvider_isWarnedOf(CapturedOutput output) {
        ApplicationContextRunner sharing = sharingLocks().withPropertyValues("delayjob.lease.duration=1s");
        sharing.withBean(DataSource.class, TwoApplicationsTest::database).run(original -> {
            awaitLeadOfAll(original);
            DataSource copy = database();
            String identity = new JdbcTemplate(original.getBean(DataSource.class))
                    .queryForObject("SELECT identity FROM delayjob_identity", String.class);
            JdbcTemplate ofTheCopy = new JdbcTemplate(copy);
            ofTheCopy.execute("CREATE TABLE delayjob_identity (one SMALLINT PRIMARY KEY, identity VARCHAR(8))");
            ofTheCopy.update("INSERT INTO delayjob_identity VALUES (1, ?)", identity);

            sharing.withBean(DataSource.class, () -> copy).run(copied -> {
                // If this machine pauses, leases expire, and the copy may take some of them.
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(output)
                                .containsPattern("has led only [0-7] of the 8 partitions of the queue")
                                .contains("an unknown process holds leases of queue 'default'. The process is not a "
                                        + "registered instance"));
                assertThat(led(copied)).isLessThan(PARTITIONS);
            });
        });
    }

    /** Applications that share a lock service, each with a database that is still to be named. */
    private ApplicationContextRunner sharingLocks() {
        DataSource lockTable = database();
        new JdbcTemplate(lockTable)
                .execute(
                        "CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3), locked_at TIMESTAMP(3), locked_by VARCHAR(255))");
        AtomicInteger instances = new AtomicInteger();
        return contexts.withPropertyValues("delayjob.lease.provider=bean")
                .withBean(
                        LockProvider.class,
                        () -> new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                                .withJdbcTemplate(new JdbcTemplate(lockTable))
                                .withLockedByValue("instance-" + instances.incrementAndGet())
                                .usingDbTime()
                                .build()));
    }

    private static DataSource database() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    private static void awaitLeadOfAll(AssertableApplicationContext context) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(led(context)).isEqualTo(PARTITIONS));
    }

    private static int led(AssertableApplicationContext context) {
        return context.getBean(DelayJobEngine.class).status().led().size();
    }

    private static void schedule(AssertableApplicationContext context) {
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        Instant first = Instant.now().plusSeconds(3);
        for (int number = 0; number < JOBS; number++) {
            Instant due = first.plusMillis(number * 10L);
            jobs.schedule(Receiver::receive).with(due.toEpochMilli()).at(due);
        }
    }

    /** From the lowest to the highest. */
    private static List<Duration> latenesses(AssertableApplicationContext context) {
        Receiver receiver = context.getBean(Receiver.class);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(receiver.latenesses).hasSize(JOBS));
        List<Duration> all = receiver.latenesses.stream().sorted().toList();
        receiver.latenesses.clear();
        return all;
    }

    private static Duration quantile(List<Duration> latenesses, int percent) {
        return latenesses.get((latenesses.size() - 1) * percent / 100);
    }

    static class Receiver {
        private final Queue<Duration> latenesses = new ConcurrentLinkedQueue<>();

        @DelayedJob("receive")
        void receive(long dueMillis) {
            latenesses.add(Duration.ofMillis(System.currentTimeMillis() - dueMillis));
        }
    }
}
