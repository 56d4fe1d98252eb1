package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.Precision;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgreSqlCountsContractTest extends CountsContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }

    /** An index of their own leads to the jobs that await an answer, so all of them are counted. */
    @Override
    Set<JobState> beyondTheLimit() {
        return Set.of(JobState.DELAYED);
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

    @Test
    void sizeOfTheTables_growsWithTheirJobs() {
        long before = Objects.requireNonNull(store().counts(NOW).bytes());
        submit(MANY, NOW.plusSeconds(60));
        assertThat(store().counts(NOW).bytes()).isGreaterThan(before + 100L * MANY);
    }

    @Test
    void jobsThatAwaitAnAnswer_amongManyThatWait_areCountedAndFoundInTheirOwnIndex() {
        submit(MANY, NOW.plusSeconds(60));
        submit(5, NOW);
        new JdbcTemplate(pool())
                .update("UPDATE delayjob_job SET awaiting = TRUE WHERE name IN ('job-3', 'job-5000', 'job-10050')");

        JobCounts counts = store().counts(NOW);

        assertThat(counts.in(JobState.AWAITING)).as("one of them is due").isEqualTo(4);
        assertThat(counts.precision(JobState.AWAITING)).isEqualTo(Precision.EXACT);
        assertThat(counts.in(JobState.READY)).isEqualTo(4);
        for (JobOrder order : List.of(JobOrder.OLDEST, JobOrder.NEWEST, JobOrder.DUE)) {
            JobQuery query = JobQuery.state(JobState.AWAITING).order(order).lookAt(200);
            JobPage page = store().find(query, NOW);
            assertThat(page.jobs()).as(order.name()).hasSize(4).isSortedAccordingTo(query.comparator());
            assertThat(page.isComplete()).as(order.name()).isTrue();
            assertThat(page.lookedAt()).as(order.name()).isEqualTo(4);
            JobPage first = store().find(query.limit(3), NOW);
            JobPage rest = store().find(query.after(Objects.requireNonNull(first.next())), NOW);
            assertThat(Stream.concat(first.stream(), rest.stream()))
                    .as(order.name())
                    .containsExactlyElementsOf(page.jobs());
        }
    }

    @Test
    void jobsThatAwaitAnAnswer_beyondTheCap_areTheServersEstimateOnceItHasAnalysedTheTables() {
        submit(MANY, NOW.plusSeconds(60));
        submit(3, NOW.plusSeconds(60));
        JdbcTemplate jdbc = new JdbcTemplate(pool());
        jdbc.update("UPDATE delayjob_job SET awaiting = TRUE");
        jdbc.update("UPDATE delayjob_job SET awaiting = FALSE WHERE name = 'job-3'");

        assertThat(store().counts(NOW).precision(JobState.AWAITING)).isEqualTo(Precision.AT_LEAST);
        jdbc.execute("VACUUM ANALYZE delayjob_job");
        JobCounts counts = store().counts(NOW);

        assertThat(counts.precision(JobState.AWAITING)).isEqualTo(Precision.ABOUT);
        assertThat(counts.in(JobState.AWAITING)).isBetween(MANY - 500L, MANY + 500L);
        assertThat(counts.in(JobState.DELAYED)).isLessThan(500);
    }
}
