package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.ChainStep;
import io.delayjob.job.JobExtras;
import io.delayjob.job.NewJob;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * The queues of a chain get their numbers when the chain is scheduled. An end in the caller's transaction holds a row,
 * so it must not write queues on a second connection.
 */
class ChainQueuesTest {

    private final HikariDataSource pool = TestH2.newStore();
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final JdbcJobStore store =
            JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build();
    private final JobMaker jobs = new JobMaker(store);

    @AfterEach
    void close() {
        store.close();
        pool.close();
    }

    private NewJob chain(String queue) {
        NewJob job = jobs.job();
        ChainStep next =
                new ChainStep(job.id().followers(1).get(0), ChainStep.When.FINISHED, queue, "next", null, null);
        return job.with(
                job.task().withExtras(JobExtras.NONE.withSteps(List.of(next)).toText()));
    }

    private List<String> queues() {
        return jdbc.queryForList("SELECT name FROM delayjob_queue", String.class);
    }

    @Test
    void queuesOfAChain_areNumberedWhenItIsScheduled() {
        jobs.submit(chain("mail"));
        store.submitOnce(chain("reports"), jobs.sink);

        assertThat(queues()).contains("mail", "reports");
    }
}
