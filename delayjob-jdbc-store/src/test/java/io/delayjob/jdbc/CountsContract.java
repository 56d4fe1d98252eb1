package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSink;
import io.delayjob.store.DueSpan;
import io.delayjob.store.JobCounts;
import io.delayjob.store.Precision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Counts of more jobs than are counted. */
abstract class CountsContract {

    static final int MANY = JobCounts.CAP + 50;
    static final Instant NOW = JobMaker.NOW;

    private final Random random = new Random(11);
    private HikariDataSource pool;
    private JdbcJobStore store;

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @BeforeEach
    final void makeStore() {
        pool = newStore();
        store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build();
    }

    @AfterEach
    final void closeStore() {
        if (pool != null) {
            store.close();
            pool.close();
        }
    }

    /** The pool of the store. */
    final HikariDataSource pool() {
        return pool;
    }

    /** The store under test. */
    final JdbcJobStore store() {
        return store;
    }

    final void submit(int count, Instant due) {
        List<NewJob> batch = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            JobId id = JobId.create(NOW.toEpochMilli(), random);
            Partition partition = new Partition(i % 2 == 0 ? "mail" : "sms", i % 8);
            batch.add(new NewJob(
                    id, partition, JobTask.of("job-" + i), JobPlan.once(NOW, due), OnExisting.KEEP, random.nextLong()));
            if (batch.size() == 500 || i == count) {
                store.submit(batch, DueSink.NONE);
                batch.clear();
            }
        }
    }

    @Test
    void counts_ofMoreDueJobsThanTheCap_areALowerBoundThatSaysSo() {
        submit(MANY, NOW);
        submit(3, NOW.plusSeconds(60));
        submit(1, NOW.minusSeconds(60));

        JobCounts counts = store.counts(NOW);

        assertThat(counts.in(JobState.READY)).isEqualTo(JobCounts.CAP);
        assertThat(counts.precision(JobState.READY)).isEqualTo(Precision.AT_LEAST);
        assertThat(counts.in(JobState.DELAYED)).isEqualTo(3);
        assertThat(counts.precision(JobState.DELAYED)).isEqualTo(Precision.EXACT);
        assertThat(counts.oldestDue()).isEqualTo(NOW.minusSeconds(60));
    }

    @Test
    void counts_ofFewDueJobsBehindManyThatWait_areExact() {
        submit(MANY, NOW.plusSeconds(60));
        submit(5, NOW);

        JobCounts counts = store.counts(NOW);

        assertThat(counts.in(JobState.READY)).isEqualTo(5);
        assertThat(counts.in(JobState.RUNNING)).isZero();
        assertThat(counts.in(JobState.DELAYED)).isEqualTo(JobCounts.CAP);
        assertThat(counts.atLeast()).containsExactly(JobState.DELAYED);
        assertThat(counts.oldestDue()).isEqualTo(NOW);
    }

    @Test
    void due_ofMoreJobsThanItLooksAt_isCountedAtItsBeginningAndEstimatedBehind() {
        for (int minute = 0; minute < 3; minute++) {
            submit(8_000, NOW.plusSeconds(10 + 60 * minute));
        }

        DueCounts counts = store.due(new DueSpan(NOW, Duration.ofMinutes(1), 3));

        assertThat(counts.due()).containsExactly(8_000L, 8_000L, 8_000L);
        assertThat(counts.precision()).containsExactly(Precision.EXACT, Precision.EXACT, Precision.ABOUT);
        assertThat(counts.lookedAt()).isLessThan(2 * DueCounts.MAX_LOOK);
        assertThat(counts.byName()).isNotEmpty();
    }
}
