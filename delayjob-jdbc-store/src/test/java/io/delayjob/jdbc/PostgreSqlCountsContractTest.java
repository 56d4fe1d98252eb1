package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import io.delayjob.store.Precision;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgreSqlCountsContractTest extends CountsContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }

    @Test
    void countsBeyondTheCap_areTheServersEstimatesOnceItHasAnalysedTheTables() {
        submit(MANY, NOW.plusSeconds(60));
        submit(5, NOW);
        JdbcTemplate jdbc = new JdbcTemplate(pool());
        jdbc.execute("""
                INSERT INTO delayjob_history (id, partition_id, state, cancel_requested, token, due_at, planned_at,
                    scheduled_at, ended_at, run, attempt, failures, rescues, in_doubt, name)
                SELECT gen_random_uuid(), 0, CASE WHEN i % 1000 = 0 THEN 3 ELSE 2 + 2 * (i % 2) END, FALSE, 7, i, i, i, i,
                    1, 1, 0, 0, 0, 'mail'
                FROM generate_series(1, 50000) i
                """);
        jdbc.execute("ANALYZE delayjob_job");
        jdbc.execute("ANALYZE delayjob_history");

        JobCounts counts = store().counts(NOW);

        assertThat(counts.precision(JobState.DELAYED)).isEqualTo(Precision.ABOUT);
        assertThat(counts.in(JobState.DELAYED)).isBetween(MANY - 500L, MANY + 500L);
        assertThat(counts.about()).contains(JobState.FINISHED, JobState.CANCELLED);
        assertThat(counts.in(JobState.FINISHED)).isBetween(23_000L, 27_000L);
        assertThat(counts.in(JobState.FAILED)).isEqualTo(50);
        assertThat(counts.precision(JobState.FAILED)).isEqualTo(Precision.EXACT);
        assertThat(counts.in(JobState.READY)).isEqualTo(5);
        assertThat(counts.atLeast()).isEmpty();
    }
}
