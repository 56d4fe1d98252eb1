package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.job.BulkResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More dead letters than fit on a page, brought back while an engine runs them. */
@Timeout(120)
abstract class DeadLetterContract implements JobListener {

    private static final int MANY = 1_200;
    private static final JobQuery FAILED = JobQuery.state(JobState.FAILED).name("fragile");

    private final Map<JobId, Integer> ends = new HashMap<>();
    private volatile boolean repaired;
    private HikariDataSource pool;
    private TestEngine engine;

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @BeforeEach
    final void startEngine() {
        pool = newStore();
        Handler fragile = Handler.named("fragile").retry(RetryPolicy.none()).calls((arguments, job) -> {
            if (!repaired) {
                throw new IllegalStateException("broken");
            }
            return null;
        });
        engine = new TestEngine(pool, EngineSettings.defaults("letters#1"), this, fragile);
        engine.start();
    }

    @AfterEach
    final void stopEngine() {
        if (pool != null) {
            engine.close();
            pool.close();
        }
    }

    @Override
    public synchronized void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
        ends.merge(job.id(), 1, Integer::sum);
        notifyAll();
    }

    private synchronized void await(Predicate<Map<JobId, Integer>> enough) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!enough.test(ends) && System.nanoTime() < deadline) {
            TimeUnit.SECONDS.timedWait(this, 1);
        }
        assertThat(enough.test(ends)).as("ends of %d jobs", ends.size()).isTrue();
    }

    @Test
    void retry_whileJobsFailAgain_bringsBackEachOnceAndEnds() throws InterruptedException {
        List<JobId> jobs = Stream.generate(
                        () -> engine.jobs().schedule("fragile").now().id())
                .limit(MANY)
                .toList();
        await(ended -> ended.size() == MANY);

        // They fail again, within milliseconds, and get in line behind the others.
        BulkResult result = engine.jobs().retry(FAILED);

        assertThat(result).isEqualTo(new BulkResult(MANY, 0));
        await(ended -> jobs.stream().allMatch(id -> ended.get(id) == 2));

        repaired = true;
        assertThat(engine.jobs().retry(FAILED)).isEqualTo(new BulkResult(MANY, 0));
        await(ended -> jobs.stream().allMatch(id -> ended.get(id) == 3));
        assertThat(engine.jobs().stream(FAILED)).isEmpty();
        assertThat(engine.jobs().stream(JobQuery.state(JobState.FINISHED).limit(500)))
                .hasSize(MANY);
    }
}
