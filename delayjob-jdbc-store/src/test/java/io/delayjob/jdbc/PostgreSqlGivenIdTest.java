package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.Scheduled.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Between the first look for an id and the insert, another caller may write that job, and it may even run and end. */
class PostgreSqlGivenIdTest {

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "42")
    void jobThatBeganAndEndedMeanwhile_isKept_andTheCallersTransactionGoesOn(String key) throws Exception {
        try (HikariDataSource pool = TestPostgres.newStore();
                JdbcJobStore store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                        .build()) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("CREATE TABLE orders (id INT)");
            TransactionTemplate first = new TransactionTemplate(new JdbcTransactionManager(pool));
            TransactionTemplate second = new TransactionTemplate(new JdbcTransactionManager(pool));
            JobMaker jobs = new JobMaker(store);
            NewJob job = jobs.job(key, OnExisting.KEEP);

            CompletableFuture<Scheduled> answer = first.execute(status -> {
                store.submitOnce(job, jobs.sink);
                CompletableFuture<Scheduled> waiting = CompletableFuture.supplyAsync(() -> second.execute(inner -> {
                    Scheduled kept = store.submitOnce(job, jobs.sink);
                    jdbc.update("INSERT INTO orders VALUES (1)");
                    return kept;
                }));
                awaitBlockedInsert(jdbc);
                store.cancel(job.id(), JobMaker.NOW);
                return waiting;
            });

            assertThat(answer.get(30, TimeUnit.SECONDS))
                    .isEqualTo(new Scheduled(job.id(), Outcome.KEPT, JobState.CANCELLED));
            assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_job", Integer.class))
                    .isZero();
            assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM orders", Integer.class))
                    .isOne();
        }
    }

    /** Each look takes a round trip to the server, so the loop is no busy wait. Other tests wait in other databases. */
    private static void awaitBlockedInsert(JdbcTemplate jdbc) {
        while (jdbc.queryForObject("""
                        SELECT COUNT(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
                        WHERE NOT granted AND locktype = 'transactionid' AND datname = current_database()
                        """, Integer.class) == 0) {
            Thread.onSpinWait();
        }
    }
}
