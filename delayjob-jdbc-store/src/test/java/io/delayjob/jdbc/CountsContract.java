package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.DueSink;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.JobCounts;
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

    private static final int MANY = JobCounts.CAP + 50;
    private static final Instant NOW = JobMaker.NOW;

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

    private void submit(int count, Instant due) {
        List<NewJob> batch = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            JobId id = JobId.create(NOW.toEpochMilli(), random);
            Partition partition = new Partition(i % 2 == 0 ? "mail" : "sms", i % 8);
            batch.add(new NewJob(
                    id,
                    partition,
                    "job-" + i,
                    null,
                    OnExisting.KEEP,
                    null,
                    null,
                    null,
                    null,
                    random.nextLong(),
                    NOW,
                    due,
                    due));
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
        assertThat(counts.isExact(JobState.READY)).isFalse();
        assertThat(counts.in(JobState.DELAYED)).isEqualTo(3);
        assertThat(counts.isExact(JobState.DELAYED)).isTrue();
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
}
