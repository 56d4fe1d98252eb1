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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Processes that run the members of a group are killed, one after the other. {@code -Ddelayjob.test.members=1000000} runs
 * a larger group.
 */
class GroupKillTest {

    private static final int MEMBERS = Integer.getInteger("delayjob.test.members", 3_000);
    private static final int KILLS = 4;
    private static final int CALLERS = 32;
    private static final Duration AT_MOST = Duration.ofMinutes(2).plusMillis(MEMBERS);
    private static final Duration NOTICED = Duration.ofSeconds(1);

    @TempDir
    private Path logs;

    @Test
    void killedProcesses_loseNoEnd_andTheJobThatFollowsIsWrittenOnce() throws Exception {
        try (HikariDataSource pool = TestPostgres.newDatabase();
                TestProcesses processes = new TestProcesses(GroupWorker.class, pool.getJdbcUrl(), logs)) {
            TestSchema.apply(pool);
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("""
                CREATE TABLE ledger (number BIGSERIAL PRIMARY KEY, what VARCHAR(10) NOT NULL,
                    at TIMESTAMPTZ NOT NULL DEFAULT CLOCK_TIMESTAMP())
                """);
            Handler member = Handler.named(GroupWorker.MEMBER).calls((payload, job) -> null);
            try (TestEngine caller =
                    new TestEngine(pool, GroupWorker.settings("caller"), new JobListener() {}, member)) {
                JobGroup group = caller.jobs().group("import");
                addMembers(caller, group);
                JobId done = group.whenAllEnded(caller.jobs().schedule(GroupWorker.DONE));
                Process first = processes.start();
                Process second = processes.start();
                for (int kill = 1; kill <= KILLS; kill++) {
                    int calls = kill * MEMBERS / (KILLS + 1);
                    await(AT_MOST, () -> calls(jdbc) >= calls);
                    first.destroyForcibly();
                    first = second;
                    second = processes.start();
                }
                await(AT_MOST, () -> hasFollowed(jdbc));

                assertThat(count(jdbc, "early")).isZero();
                assertThat(group.find().orElseThrow().state()).isEqualTo(GroupState.ENDED);
                assertThat(group.find().orElseThrow().counts()).isEqualTo(new GroupCounts(MEMBERS, MEMBERS, 0, 0));
                await(() -> caller.jobs().find(done).orElseThrow().state() == JobState.FINISHED);
                assertThat(jdbc.queryForObject(
                                "SELECT COUNT(*) FROM delayjob_history WHERE name = 'done'", Integer.class))
                        .isEqualTo(1);
                assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_group_change", Integer.class))
                        .isZero();
                Duration noticed = Duration.ofMillis(jdbc.queryForObject("""
                    SELECT 1000 * EXTRACT(EPOCH FROM MIN(at) FILTER (WHERE what = 'done')
                        - MAX(at) FILTER (WHERE what = 'member')) FROM ledger
                    """, Long.class));
                System.out.printf("%,d members, %d kills: the end is noticed after %s%n", MEMBERS, KILLS, noticed);
                assertThat(noticed).isLessThan(NOTICED.multipliedBy(10));
            }
        }
    }

    /** Adds the members one by one. Callers that add at the same time share statements. */
    private static void addMembers(TestEngine caller, JobGroup group) throws InterruptedException {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        for (int i = 0; i < MEMBERS; i++) {
            callers.execute(() -> group.add(caller.jobs().schedule(GroupWorker.MEMBER)));
        }
        callers.shutdown();
        assertThat(callers.awaitTermination(AT_MOST.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    /** Returns the number of calls of handlers, at most. It is cheap, because it is asked for often. */
    private static long calls(JdbcTemplate jdbc) {
        Long calls = jdbc.queryForObject("SELECT MAX(number) FROM ledger", Long.class);
        return calls == null ? 0 : calls;
    }

    private static boolean hasFollowed(JdbcTemplate jdbc) {
        String last = jdbc.query(
                "SELECT what FROM ledger ORDER BY number DESC LIMIT 1", rows -> rows.next() ? rows.getString(1) : "");
        return List.of("done", "early").contains(last);
    }

    private static int count(JdbcTemplate jdbc, String what) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM ledger WHERE what = ?", Integer.class, what);
    }
}
