package io.delayjob.benchmarks.durable;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how much other jobs are delayed by jobs that cannot run (poisoned rows) or that never end. Half of the
 * poisoned rows have unreadable payloads; the other half have no handler.
 */
public final class PoisonBenchmark {

    private static final String GOOD = "good";
    private static final String ON_TIME = "on-time";
    private static final String HANGING = "hanging";
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration BETWEEN_ON_TIME = Duration.ofMillis(50);
    private static final Duration AT_MOST = Duration.ofMinutes(10);

    /**
     * @param poison number of rows that cannot run
     * @param timeOuts number of timeouts of the handler that never returns
     * @param slotsLost number of slots in use at the end, when only the job that never ends was left
     */
    record Result(int rows, int poison, Duration took, Latenesses.Summary onTime, long timeOuts, int slotsLost) {

        @Override
        public String toString() {
            return """
                %,d due rows, beside %,d rows that no instance can run, ended in %.1f s: %,.0f jobs/s
                  lateness of jobs that came due meanwhile, one every %s: %s
                  a handler that never returns was written off %d times and holds %d slots
                """.formatted(
                            rows,
                            poison,
                            took.toNanos() / 1e9,
                            rows / (took.toNanos() / 1e9),
                            BETWEEN_ON_TIME,
                            onTime,
                            timeOuts,
                            slotsLost);
        }
    }

    private PoisonBenchmark() {}

    /** @param arguments {@code --url}, {@code --rows} (1,000,000), {@code --poison} (10,000) */
    public static void main(String[] arguments) throws InterruptedException {
        Options options = Options.parse(arguments, Set.of("url", "rows", "poison"));
        System.out.println(Machine.describe());
        for (int poison : List.of(0, options.number("poison", 10_000))) {
            try (BenchmarkDatabase database = BenchmarkDatabase.open(options.text("url"), 20)) {
                System.out.print(run(database, options.number("rows", 1_000_000), poison));
            }
        }
        System.out.println(Machine.describe());
    }

    static Result run(BenchmarkDatabase database, int rows, int poison) throws InterruptedException {
        Ends ends = new Ends(GOOD, rows);
        Ends hung = new Ends(HANGING, poison == 0 ? 0 : 1);
        Latenesses onTime = new Latenesses(0);
        CountDownLatch release = new CountDownLatch(1);
        JobListener listener = new JobListener() {
            @Override
            public void started(Job job, Duration lateness) {
                if (job.name().equals(ON_TIME)) {
                    onTime.add(lateness);
                }
            }

            @Override
            public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                ends.completed(job, outcome, next, took);
                if (outcome instanceof JobOutcome.TimedOut) {
                    hung.completed(job, outcome, next, took);
                }
            }
        };
        EngineSettings settings = EngineSettings.defaults("benchmark#1");
        List<Handler> handlers = List.of(
                Handler.named(GOOD).calls((arguments, job) -> null),
                Handler.named(ON_TIME).calls((arguments, job) -> null),
                Handler.named(HANGING).timeout(TIMEOUT).calls((arguments, job) -> hang(release)));
        try (BenchmarkEngine engine = new BenchmarkEngine(database.dataSource(), settings, listener, handlers)) {
            fill(database, settings.queues().partitions(), rows, poison);
            long start = System.nanoTime();
            engine.start();
            while (ends.left() > 0 && System.nanoTime() - start < AT_MOST.toNanos()) {
                engine.jobs().schedule(ON_TIME).after(BETWEEN_ON_TIME);
                LockSupport.parkNanos(BETWEEN_ON_TIME.toNanos());
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            ends.await(Duration.ZERO);
            hung.await(Duration.ofMinutes(1));
            int slotsLost = slotsAtRest(engine);
            release.countDown();
            return new Result(rows, poison, took, onTime.summary(), poison == 0 ? 0 : 1 - hung.left(), slotsLost);
        }
    }

    /** Waits up to ten seconds until only one slot is in use, which belongs to the handler that never returns. */
    private static int slotsAtRest(BenchmarkEngine engine) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        int taken = engine.status().attempts();
        while (taken > 1 && System.nanoTime() - giveUp < 0) {
            LockSupport.parkNanos(BETWEEN_ON_TIME.toNanos());
            taken = engine.status().attempts();
        }
        return taken;
    }

    private static void fill(BenchmarkDatabase database, int partitions, int rows, int poison) {
        if (poison > 0) {
            database.fillDue(HANGING, 1, partitions, null);
        }
        database.fillDue("nobody-s", poison / 2, partitions, null);
        database.fillDue(GOOD, poison - poison / 2, partitions, "?");
        database.fillDue(GOOD, rows, partitions, null);
        database.vacuum();
    }

    /** Ignores interrupts, like a handler that continues after its timeout. */
    private static Object hang(CountDownLatch release) {
        boolean interrupted = false;
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException notYet) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return List.of();
    }
}
