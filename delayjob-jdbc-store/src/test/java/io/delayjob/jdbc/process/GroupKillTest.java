package io.delayjob.jdbc.process;

import static io.delayjob.jdbc.TestProcesses.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobGroup;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestProcesses;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupState;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Processes that run the members of a group are killed, one after the other. */
class GroupKillTest {

    private static final int MEMBERS = 3_000;
    private static final int KILLS = 4;

    @TempDir
    private Path logs;

    @Test
    void killedProcesses_loseNoEnd_andTheJobThatFollowsIsWrittenOnce() throws Exception {
        try (HikariDataSource pool = TestPostgres.newDatabase();
                TestProcesses processes = new TestProcesses(GroupWorker.class, pool.getJdbcUrl(), logs)) {
            TestSchema.apply(pool);
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("CREATE TABLE ledger (what VARCHAR(10) NOT NULL)");
            Handler member = Handler.named(GroupWorker.MEMBER).calls((payload, job) -> null);
            try (TestEngine caller =
                    new TestEngine(pool, GroupWorker.settings("caller"), new JobListener() {}, member)) {
                JobGroup group = caller.jobs().group("import");
                JobId done = new TransactionTemplate(caller.transactionManager()).execute(status -> {
                    for (int i = 0; i < MEMBERS; i++) {
                        group.add(caller.jobs().schedule(GroupWorker.MEMBER));
                    }
                    return group.whenAllEnded(caller.jobs().schedule(GroupWorker.DONE));
                });
                Process first = processes.start();
                Process second = processes.start();
                for (int kill = 1; kill <= KILLS; kill++) {
                    int calls = kill * MEMBERS / (KILLS + 1);
                    await(() -> count(jdbc, "member") >= calls);
                    first.destroyForcibly();
                    first = second;
                    second = processes.start();
                }
                await(() -> count(jdbc, "done") > 0);

                assertThat(count(jdbc, "early")).isZero();
                assertThat(group.find().orElseThrow().state()).isEqualTo(GroupState.ENDED);
                assertThat(group.find().orElseThrow().counts()).isEqualTo(new GroupCounts(MEMBERS, MEMBERS, 0, 0));
                await(() -> caller.jobs().find(done).orElseThrow().state() == JobState.FINISHED);
                assertThat(jdbc.queryForObject(
                                "SELECT COUNT(*) FROM delayjob_history WHERE name = 'done'", Integer.class))
                        .isEqualTo(1);
                assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_group_change", Integer.class))
                        .isZero();
            }
        }
    }

    private static int count(JdbcTemplate jdbc, String what) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM ledger WHERE what = ?", Integer.class, what);
    }
}
