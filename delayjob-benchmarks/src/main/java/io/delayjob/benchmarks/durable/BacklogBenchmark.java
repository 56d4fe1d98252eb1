package io.delayjob.benchmarks.durable;

import io.delayjob.EngineSettings;
import io.delayjob.EngineStatus;
import io.delayjob.benchmarks.durable.CountingDataSource.Counts;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Does a backlog of any size pass through an engine that keeps a thousand jobs in memory, and do jobs that come due meanwhile
 * still start on time? Run it with {@code -Xmx96m}, so that nothing that grows with the backlog goes unnoticed.
 */
public final class BacklogBenchmark {

    private static final String BACKLOG = "backlog";
    private static final String ON_TIME = "on-time";
    static final int MAX_JOBS = 1_000;
    private static final Duration BETWEEN_ON_TIME = Duration.ofMillis(50);

    /**
     * What came out.
     *
     * @param mostInMemory most jobs in memory at a time, of those moments that were looked at
     * @param onTime lateness of the jobs that came due while the backlog was worked off
     * @param repeated attempts beyond the first of a job of the backlog
     */
    record Result(int rows, Duration took, Counts counts, int mostInMemory, Latenesses.Summary onTime, long repeated) {

        double statementsPerJob() {
            return counts.statements() / (double) rows;
        }

        @Override
        public String toString() {
            return """
                    %,d due rows with wheel.max-jobs=%d and %d MiB of heap in %.1f s: %,.0f jobs/s, %.4f statements per job, %d repeated
                      in memory at the most: %d jobs
                      due meanwhile, every %s: %s
                    """.formatted(
                            rows,
                            MAX_JOBS,
                            Runtime.getRuntime().maxMemory() >> 20,
                            took.toNanos() / 1e9,
                            rows / (took.toNanos() / 1e9),
                            statementsPerJob(),
                            repeated,
                            mostInMemory,
                            BETWEEN_ON_TIME,
                            onTime);
        }
    }

    private BacklogBenchmark() {}

    /**
     * Runs it.
     *
     * @param arguments {@code --url}, {@code --rows} (1,000,000)
     */
    public static void main(String[] arguments) throws InterruptedException {
        Options options = Options.parse(arguments, Set.of("url", "rows"));
        System.out.println(Machine.describe());
        try (BenchmarkDatabase database = BenchmarkDatabase.open(options.text("url"), 20)) {
            System.out.print(run(database, options.number("rows", 1_000_000)));
        }
        System.out.println(Machine.describe());
    }

    static Result run(BenchmarkDatabase database, int rows) throws InterruptedException {
        Ends ends = new Ends(BACKLOG, rows);
        Latenesses onTime = new Latenesses(0);
        JobListener listener = new JobListener() {
            @Override
            public void started(Job job, Duration lateness) {
                ends.started(job, lateness);
                if (job.name().equals(ON_TIME)) {
                    onTime.add(lateness);
                }
            }

            @Override
            public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                ends.completed(job, outcome, next, took);
            }
        };
        EngineSettings settings = EngineSettings.defaults("benchmark#1").toBuilder()
                .maxJobs(MAX_JOBS)
                .build();
        List<Handler> handlers = List.of(
                Handler.named(BACKLOG).calls((arguments, job) -> null),
                Handler.named(ON_TIME).calls((arguments, job) -> null));
        try (BenchmarkEngine engine = new BenchmarkEngine(database.dataSource(), settings, listener, handlers)) {
            engine.writeDue(BACKLOG, rows);
            database.vacuum();
            Counts before = database.dataSource().counts();
            long start = System.nanoTime();
            engine.start();
            int most = 0;
            while (ends.left() > 0) {
                engine.jobs().schedule(ON_TIME).after(BETWEEN_ON_TIME);
                EngineStatus status = engine.status();
                most = Math.max(most, status.waiting() + status.ready());
                LockSupport.parkNanos(BETWEEN_ON_TIME.toNanos());
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            Counts counts = database.dataSource().counts().since(before);
            return new Result(rows, took, counts, most, onTime.summary(), ends.repeated());
        }
    }
}
