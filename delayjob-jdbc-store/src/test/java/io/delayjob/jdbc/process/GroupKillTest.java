package io.delayjob.jdbc.process;

import static io.delayjob.jdbc.TestProcesses.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobGroup;
import io.delayjob.event.JobListener;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestProcesses;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.jdbc.process.GroupWorker.Members;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupState;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Processes that run the members of a group are killed, one after the other. The last kill comes long before the last
 * end, so no instance is being given up when the group ends. The page on reliability has a run with a million members.
 */
class GroupKillTest {

    private static final int MEMBERS = Integer.getInteger("delayjob.test.members", 3_000);
    private static final int KILLS = Integer.getInteger("delayjob.test.kills", 4);
    private static final Duration AT_MOST = Duration.ofMinutes(2).plusMillis(MEMBERS);

    /** Maximum time from the last end to the call of the job that follows. A machine with other builds is slow. */
    private static final Duration NOTICED = Duration.ofMillis(Integer.getInteger("delayjob.test.noticed", 10_000));

    /** Number of members that one call adds. */
    private static final int PART = 5_000;

    @TempDir
    private Path logs;

    @Test
    void killedProcesses_loseNoEnd_andTheJobThatFollowsIsWrittenOnce() throws Exception {
        try (HikariDataSource pool = TestPostgres.newDatabase();
                TestProcesses processes = new TestProcesses(GroupWorker.class, pool.getJdbcUrl(), logs)) {
            TestSchema.apply(pool);
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("""
                CREATE TABLE ledger (number BIGSERIAL PRIMARY KEY, what VARCHAR(10) NOT NULL, member BIGINT,
                    at TIMESTAMPTZ NOT NULL DEFAULT CLOCK_TIMESTAMP())
                """);
            try (TestEngine caller = new TestEngine(
                    pool, GroupWorker.settings("caller"), new JobListener() {}, new Members(jdbc).handler())) {
                JobGroup group = caller.jobs().group("import");
                addMembers(caller, group);
                JobId done = group.whenAllEnded(caller.jobs().schedule(GroupWorker.DONE));
                Process first = processes.start();
                Process second = processes.start();
                for (int kill = 1; kill <= KILLS; kill++) {
                    long calls = (long) kill * MEMBERS / (KILLS + 1);
                    await(AT_MOST, () -> calls(jdbc) >= calls);
                    first.destroyForcibly();
                    first = second;
                    second = processes.start();
                }
                await(AT_MOST, () -> caller.jobs().find(done).map(Job::state).equals(Optional.of(JobState.FINISHED)));

                assertThat(count(jdbc, "ledger WHERE what = 'early'")).isZero();
                assertThat(count(jdbc, "ledger WHERE what = 'done'")).isEqualTo(1);
                assertThat(count(jdbc, "delayjob_history WHERE name = 'done'")).isEqualTo(1);
                assertThat(count(jdbc, "(SELECT DISTINCT member FROM ledger WHERE what = 'member') AS called"))
                        .isEqualTo(MEMBERS);
                assertThat(group.find().orElseThrow().state()).isEqualTo(GroupState.ENDED);
                assertThat(group.find().orElseThrow().counts()).isEqualTo(new GroupCounts(MEMBERS, MEMBERS, 0, 0));
                assertThat(count(jdbc, "delayjob_group_change")).isZero();
                Duration noticed = Duration.ofMillis(jdbc.queryForObject("""
                    SELECT 1000 * EXTRACT(EPOCH FROM MIN(at) FILTER (WHERE what = 'done')
                        - MAX(at) FILTER (WHERE what = 'member')) FROM ledger
                    """, Long.class));
                System.out.printf(
                        "%,d members, %d kills, %,d calls of members: the job that follows was called %d ms after the last of them%n",
                        MEMBERS, KILLS, count(jdbc, "ledger WHERE what = 'member'"), noticed.toMillis());
                assertThat(noticed).isLessThanOrEqualTo(NOTICED);
            }
        }
    }

    private static void addMembers(TestEngine caller, JobGroup group) {
        for (long from = 0; from < MEMBERS; from += PART) {
            List<Long> numbers = LongStream.range(from, Math.min(MEMBERS, from + PART))
                    .boxed()
                    .toList();
            group.add(caller.jobs().schedule(Members::call).withEach(numbers));
        }
    }

    /** Returns the number of calls of handlers, at most. It is cheap, because it is asked for often. */
    private static long calls(JdbcTemplate jdbc) {
        Long calls = jdbc.queryForObject("SELECT MAX(number) FROM ledger", Long.class);
        return calls == null ? 0 : calls;
    }

    private static int count(JdbcTemplate jdbc, String rows) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM " + rows, Integer.class);
    }
}
