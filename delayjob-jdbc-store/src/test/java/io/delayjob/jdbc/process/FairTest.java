package io.delayjob.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.jdbc.TestPostgres;
import io.delayjob.jdbc.TestSchema;
import io.delayjob.job.JobId;
import io.delayjob.settings.EngineSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A tenant with 200,000 due jobs on PostgreSQL, on real threads and in real time. Three instances work them off. */
class FairTest {

    private static final int HUGE = 200_000;
    private static final int SMALL = 24;

    /** Three instances with eight slots start at most so many jobs of the huge tenant in the time that is allowed. */
    private static final int MOST_OF_HUGE = 120_000;

    private final Set<JobId> started = ConcurrentHashMap.newKeySet();
    private final Queue<JobId> startedTwice = new ConcurrentLinkedQueue<>();
    private final AtomicInteger huge = new AtomicInteger();
    private final CountDownLatch old = new CountDownLatch(SMALL);
    private final CountDownLatch fresh = new CountDownLatch(SMALL);

    private final Handler handler = Handler.named("render").concurrency(8).calls((arguments, job) -> {
        if (!started.add(job.id())) {
            startedTwice.add(job.id());
        }
        switch (job.labels().isEmpty() ? "huge" : job.labels().get(0)) {
            case "old" -> old.countDown();
            case "fresh" -> fresh.countDown();
            default -> huge.incrementAndGet();
        }
        return CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
    });

    @Test
    void jobsOfOtherTenants_startLongBeforeTheBacklogIsWorkedOff() throws Exception {
        List<TestEngine> engines = new ArrayList<>();
        try (HikariDataSource pool = TestPostgres.newDatabase(60)) {
            TestSchema.apply(pool);
            try {
                TestEngine outside = engine(pool, "outside", false);
                engines.add(outside);
                outside.start();
                writeBacklog(pool, outside);
                for (int i = 0; i < 3; i++) {
                    engines.add(engine(pool, "fair-" + i, true));
                    engines.get(i + 1).start();
                }

                assertThat(old.await(60, TimeUnit.SECONDS))
                        .as("jobs that lie behind the backlog start")
                        .isTrue();
                for (int i = 0; i < SMALL; i++) {
                    engines.get(i % 4)
                            .jobs()
                            .schedule("render")
                            .fairKey("fresh-" + i)
                            .label("fresh")
                            .now();
                }
                assertThat(fresh.await(20, TimeUnit.SECONDS))
                        .as("new jobs start")
                        .isTrue();
                assertThat(huge.get()).as("the backlog is still long").isBetween(1, MOST_OF_HUGE);
                assertThat(startedTwice).isEmpty();
            } finally {
                engines.forEach(TestEngine::close);
            }
        }
    }

    private TestEngine engine(HikariDataSource pool, String name, boolean worker) {
        EngineSettings settings = EngineSettings.defaults(name + "#1").toBuilder()
                .leaseDuration(Duration.ofSeconds(3))
                .worker(worker)
                .build();
        return new TestEngine(pool, settings, new JobListener() {}, handler);
    }

    /** Writes the jobs of the huge tenant. Copies of one job are quicker than as many calls. */
    private static void writeBacklog(HikariDataSource pool, TestEngine engine) throws SQLException {
        engine.jobs().schedule("render").fairKey("huge").now();
        copy(pool, HUGE, "due_at - 3600000", "'by-turns huge'");
        copy(pool, SMALL, "due_at - 600000", "'by-turns old-' || i || E'\\nlabel old'");
    }

    private static void copy(HikariDataSource pool, int count, String due, String extras) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("""
                    INSERT INTO delayjob_job (id, partition_id, token, due_at, planned_at, scheduled_at, name, extras)
                    SELECT gen_random_uuid(), partition_id / 1024 * 1024 + i %% 8, i, %1$s, %1$s, %1$s, name, %3$s
                    FROM (SELECT * FROM delayjob_job ORDER BY due_at DESC LIMIT 1) AS job, generate_series(1, %2$d) AS i
                    """.formatted(due, count, extras));
            statement.execute("ANALYZE delayjob_job");
        }
    }
}
