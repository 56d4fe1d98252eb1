package io.delayjob.benchmarks.durable;

import io.delayjob.benchmarks.durable.CountingDataSource.Counts;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.EngineStatus;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Shows that an engine with only a thousand jobs in memory can run any number of overdue jobs. Run the benchmark with
 * {@code -Xmx96m}, so that it fails if memory grows with the number of jobs.
 */
public final class BacklogBenchmark {

    private static final String BACKLOG = "backlog";
    private static final String ON_TIME = "on-time";
    static final int MAX_JOBS = 1_000;
    private static final Duration BETWEEN_ON_TIME = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * @param first time from the start of the engine to the start of the first overdue job
     * @param mostHeap maximum number of bytes in use after a garbage collection
     * @param others lateness of another handler's jobs that became due during the work
     * @param own lateness of the jobs that became due during the work, and have the handler of the overdue jobs
     * @param floor lateness that the machine and the server cause themselves, measured at the same time
     * @param notStarted number of jobs that were scheduled during the work, but had not started 10 s after the work
     * @param repeated number of starts of overdue jobs that had started before; 0 if the measurement did not include
     *     all overdue jobs
     */
    record Result(
            int rows,
            int done,
            Duration took,
            Duration first,
            long mostHeap,
            Counts counts,
            int mostInMemory,
            Latenesses.Summary others,
            Latenesses.Summary own,
            Floor.Summary floor,
            int notStarted,
            long repeated) {

        double statementsPerJob() {
            return counts.statements() / (double) done;
        }

        @Override
        public String toString() {
            return """
                %,d of %,d due rows with wheel.max-jobs=%d and %d MiB of heap in %.1f s: %,.0f jobs/s, %.4f statements per job, %d repeated
                  the first after %.2f s; in memory at the most: %d jobs, %d MiB in use after a collection
                  due meanwhile, one every %s: of another handler %s
                  of the backlog's own handler %s
                  of both not started: %d
                  %s
                """.formatted(
                            done,
                            rows,
                            MAX_JOBS,
                            Runtime.getRuntime().maxMemory() >> 20,
                            took.toNanos() / 1e9,
                            done / (took.toNanos() / 1e9),
                            statementsPerJob(),
                            repeated,
                            first.toNanos() / 1e9,
                            mostInMemory,
                            mostHeap >> 20,
                            BETWEEN_ON_TIME,
                            others,
                            own,
                            notStarted,
                            floor);
        }
    }

    private BacklogBenchmark() {}

    /** @param arguments {@code --url}; {@code --rows}, by default 1,000,000; {@code --watch}, by default PT10M */
    public static void main(String[] arguments) throws InterruptedException {
        Options options = Options.parse(arguments, Set.of("url", "rows", "watch"));
        System.out.println(Machine.describe());
        try (BenchmarkDatabase database = BenchmarkDatabase.open(options.text("url"), 20)) {
            int rows = options.number("rows", 1_000_000);
            System.out.print(run(database, rows, options.duration("watch", Duration.ofMinutes(10))));
        }
        System.out.println(Machine.describe());
    }

    static Result run(BenchmarkDatabase database, int rows, Duration watch) throws InterruptedException {
        Ends ends = new Ends(BACKLOG, rows);
        Latenesses others = new Latenesses(0);
        Latenesses own = new Latenesses(0);
        AtomicInteger onTimeStarted = new AtomicInteger();
        AtomicReference<Instant> filled = new AtomicReference<>(Instant.MAX);
        AtomicLong firstStart = new AtomicLong();
        JobListener listener = new JobListener() {
            @Override
            public void started(Job job, Duration lateness) {
                if (job.dueAt().isAfter(filled.get())) {
                    (job.name().equals(BACKLOG) ? own : others).add(lateness);
                    onTimeStarted.incrementAndGet();
                } else {
                    firstStart.compareAndSet(0, System.nanoTime());
                    ends.started(job, lateness);
                }
            }

            @Override
            public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                if (!job.dueAt().isAfter(filled.get())) {
                    ends.completed(job, outcome, next, took);
                }
            }
        };
        EngineSettings settings = EngineSettings.defaults("benchmark#1").toBuilder()
                .maxJobs(MAX_JOBS)
                .build();
        List<Handler> handlers = List.of(
                Handler.named(BACKLOG).calls((arguments, job) -> null),
                Handler.named(ON_TIME).calls((arguments, job) -> null));
        try (BenchmarkEngine engine = new BenchmarkEngine(database.dataSource(), settings, listener, handlers);
                Floor floor = database.floor()) {
            database.fillDue(BACKLOG, rows, settings.queues().partitions(), null);
            database.vacuum();
            filled.set(engine.storeTime());
            Counts before = database.dataSource().counts();
            long start = System.nanoTime();
            engine.start();
            floor.count();
            int most = 0;
            long heap = 0;
            int onTimeScheduled = 0;
            while (ends.left() > 0 && System.nanoTime() - start < watch.toNanos()) {
                engine.jobs().schedule(ON_TIME).after(BETWEEN_ON_TIME);
                engine.jobs().schedule(BACKLOG).after(BETWEEN_ON_TIME);
                onTimeScheduled += 2;
                EngineStatus status = engine.status();
                most = Math.max(most, status.waiting() + status.ready());
                heap = Math.max(heap, heapAfterCollection());
                LockSupport.parkNanos(BETWEEN_ON_TIME.toNanos());
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            Counts counts = database.dataSource().counts().since(before);
            int left = (int) ends.left();
            long giveUp = System.nanoTime() + PATIENCE.toNanos();
            while (onTimeStarted.get() < onTimeScheduled && System.nanoTime() - giveUp < 0) {
                LockSupport.parkNanos(BETWEEN_ON_TIME.toNanos());
            }
            return new Result(
                    rows,
                    rows - left,
                    took,
                    Duration.ofNanos(firstStart.get() - start),
                    heap,
                    counts,
                    most,
                    others.summary(),
                    own.summary(),
                    floor.summary(),
                    onTimeScheduled - onTimeStarted.get(),
                    left == 0 ? ends.repeated() : 0);
        }
    }

    private static long heapAfterCollection() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }
}
