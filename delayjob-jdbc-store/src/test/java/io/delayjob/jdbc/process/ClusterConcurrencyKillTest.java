package io.delayjob.jdbc.process;

import static io.delayjob.jdbc.TestProcesses.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestProcesses;
import io.delayjob.jdbc.TestSchema;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** Processes that share the slots of a handler on PostgreSQL are killed, one after the other. */
@Order(1)
class ClusterConcurrencyKillTest {

    private static final int JOBS = 90;
    private static final int KILLS = 3;

    @TempDir
    private Path logs;

    @Test
    void killedProcesses_giveTheirSlotsBack_andTheLimitIsNeverExceeded() throws Exception {
        try (HikariDataSource pool = TestPostgres.newDatabase();
                TestProcesses processes = new TestProcesses(LimitedWorker.class, pool.getJdbcUrl(), logs)) {
            TestSchema.apply(pool);
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("CREATE TABLE under_way (job VARCHAR(36) NOT NULL, worker VARCHAR(20) NOT NULL)");
            jdbc.execute("CREATE TABLE ledger (job VARCHAR(36) NOT NULL, under_way INT NOT NULL)");
            try (TestEngine caller = new TestEngine(
                    pool,
                    GroupWorker.settings("caller"),
                    new JobListener() {},
                    LimitedWorker.handler((payload, job) -> null))) {
                for (int i = 0; i < JOBS; i++) {
                    caller.jobs().schedule(LimitedWorker.NAME).after(Duration.ofMillis(10L * i));
                }
            }
            Process first = processes.start();
            Process second = processes.start();
            for (int kill = 1; kill <= KILLS; kill++) {
                int ended = kill * JOBS / (KILLS + 1);
                await(() -> count(jdbc, "SELECT count(*) FROM delayjob_history") >= ended);
                first.destroyForcibly().waitFor();
                jdbc.update("DELETE FROM under_way WHERE worker = ?", "worker-" + (kill - 1));
                first = second;
                second = processes.start();
            }
            await(() -> count(jdbc, "SELECT count(*) FROM delayjob_job") == 0);

            assertThat(count(jdbc, "SELECT max(under_way) FROM ledger")).isEqualTo(LimitedWorker.LIMIT);
            assertThat(count(jdbc, "SELECT count(*) FROM delayjob_history")).isEqualTo(JOBS);
            assertThat(count(jdbc, "SELECT count(DISTINCT job) FROM ledger")).isEqualTo(JOBS);
        }
    }

    private static int count(JdbcTemplate jdbc, String sql) {
        return jdbc.queryForObject(sql, Integer.class);
    }
}
