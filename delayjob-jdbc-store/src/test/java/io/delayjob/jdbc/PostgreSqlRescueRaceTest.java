package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Two instances rescue the same row. Before the slower one does, a third instance claims the row. */
class PostgreSqlRescueRaceTest {

    @Test
    void rowThatWasRescuedAndClaimedMeanwhile_isLeftToItsNewOwner() {
        try (HikariDataSource pool = TestPostgres.newStore();
                JdbcJobStore store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                        .build()) {
            JobMaker jobs = new JobMaker(store);
            JobId id = jobs.submit(jobs.job()).id();
            long dead = store.instances().register("dead", Set.of("default"), Set.of());
            long alive = store.instances().register("alive", Set.of("default"), Set.of());
            store.claim(jobs.handedOver, dead, jobs.token(), JobMaker.NOW);
            store.instances().deregister(dead);
            List<DueRow> lost = jobs.lost();
            assertThat(lost).hasSize(1);
            new JdbcTemplate(pool)
                    .update("UPDATE delayjob_job SET token = token + 1, owner = ?, attempt = attempt + 1", alive);

            assertThat(store.rescue(lost, JobMaker.NOW, jobs.token())).isEmpty();

            assertThat(store.find(id)).get().satisfies(job -> {
                assertThat(job.state()).isEqualTo(JobState.RUNNING);
                assertThat(job.owner()).isEqualTo(alive);
            });
        }
    }
}
