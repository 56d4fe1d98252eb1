package io.delayjob.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobGroup;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupState;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
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

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void killAll() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void killedProcesses_loseNoEnd_andTheJobThatFollowsIsWrittenOnce() throws Exception {
        try (HikariDataSource pool = TestPostgres.newDatabase()) {
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
                Process first = start(pool);
                Process second = start(pool);
                for (int kill = 1; kill <= KILLS; kill++) {
                    int calls = kill * MEMBERS / (KILLS + 1);
                    await(() -> count(jdbc, "member") >= calls);
                    first.destroyForcibly();
                    first = second;
                    second = start(pool);
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

    private Process start(HikariDataSource pool) {
        File log = logs.resolve("worker-" + processes.size()).toFile();
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            GroupWorker.class.getName(),
                            pool.getJdbcUrl(),
                            "worker-" + processes.size())
                    .redirectErrorStream(true)
                    .redirectOutput(log)
                    .start();
            processes.add(process);
            return process;
        } catch (IOException notStarted) {
            throw new IllegalStateException(notStarted);
        }
    }

    /** The events happen in other processes, so only the database shows them. */
    private static void await(BooleanSupplier event) {
        long deadline = System.nanoTime() + Duration.ofSeconds(120).toNanos();
        while (!event.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the event comes in time").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
