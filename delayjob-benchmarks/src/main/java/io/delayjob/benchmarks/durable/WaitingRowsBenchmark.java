package io.delayjob.benchmarks.durable;

import io.delayjob.event.JobListener;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Counts the statements that instances send while very many due rows wait because of a limit. No job starts, or only
 * the first job starts and never ends. So all statements that idle instances would not send are caused by the waiting
 * rows.
 */
public final class WaitingRowsBenchmark {

    private static final String JOB = "waiting";
    private static final String KEY = "hot";
    private static final Pattern JOBS = Pattern.compile("\\bdelayjob_job\\b");
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");
    private static final Duration SETTLING = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PARKED = Duration.ofMillis(50);

    enum Limit {
        /** Shows the statements of idle instances, for comparison. */
        IDLE {
            @Override
            void write(BenchmarkEngine engine, int rows) {}
        },
        RATE {
            @Override
            void limit(Handler.Builder handler) {
                handler.rate(ONE_AN_HOUR);
            }
        },
        RATE_BY_KEY {
            @Override
            void limit(Handler.Builder handler) {
                handler.rate(ONE_AN_HOUR).rateBy(arguments -> KEY);
            }

            @Override
            JobExtras extras() {
                return JobExtras.NONE.withRateKey(KEY);
            }
        },
        CLUSTER_CONCURRENCY {
            @Override
            void limit(Handler.Builder handler) {
                handler.concurrency(1).scope(ConcurrencyScope.CLUSTER);
            }

            @Override
            int starts() {
                return 1;
            }
        },
        MUTEX {
            @Override
            JobExtras extras() {
                return JobExtras.NONE.withMutex(KEY);
            }

            @Override
            int starts() {
                return 1;
            }
        };

        private static final RateLimit ONE_AN_HOUR = new RateLimit(1, RateLimit.Unit.HOUR, 1);

        void limit(Handler.Builder handler) {}

        JobExtras extras() {
            return JobExtras.NONE;
        }

        int starts() {
            return 0;
        }

        void write(BenchmarkEngine engine, int rows) {
            JobExtras extras = extras();
            if (extras.equals(JobExtras.NONE)) {
                engine.writeDue(JOB, rows);
            } else {
                engine.writeDue(JOB, Collections.nCopies(rows, new BenchmarkEngine.Keyed(KEY, extras.toText())));
            }
        }

        String title() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    record Result(Limit limit, int rows, int instances, Meter cost, int started) {

        double statementsPerSecond() {
            return cost.counts().statements() / cost.seconds();
        }

        List<String> mostFrequent(int most) {
            return cost.counts().bySql().entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(most)
                    .map(entry -> "  %.2f/s %s"
                            .formatted(
                                    entry.getValue() / cost.seconds(),
                                    WHITE_SPACE.matcher(entry.getKey()).replaceAll(" ")))
                    .toList();
        }

        @Override
        public String toString() {
            return "%s, %,d rows, %d instances: %.2f statements/s, %.2f of them on the table of jobs, CPU %.1f %% of a core, the server's CPU %.1f %%; %d started"
                    .formatted(
                            limit.title(),
                            rows,
                            instances,
                            statementsPerSecond(),
                            cost.counts().statementsOn(JOBS) / cost.seconds(),
                            cost.ownCpu().toNanos() / 1e7 / cost.seconds(),
                            cost.serverCpu().toNanos() / 1e7 / cost.seconds(),
                            started);
        }
    }

    private WaitingRowsBenchmark() {}

    /**
     * @param arguments {@code --url}, {@code --rows} (1,000,000), {@code --instances} (1), {@code --watch} (PT1M),
     *     {@code --sql} (0): number of the most frequent statements that are printed
     */
    public static void main(String[] arguments) throws InterruptedException {
        Options options = Options.parse(arguments, Set.of("url", "rows", "instances", "watch", "sql"));
        System.out.println(Machine.describe());
        for (int instances : options.numbers("instances", 1)) {
            for (Limit limit : Limit.values()) {
                try (BenchmarkDatabase database = BenchmarkDatabase.open(options.text("url"), 20 * instances)) {
                    Result result = run(
                            database,
                            limit,
                            options.number("rows", 1_000_000),
                            instances,
                            SETTLING,
                            options.duration("watch", Duration.ofMinutes(1)));
                    System.out.println(result);
                    result.mostFrequent(options.number("sql", 0)).forEach(System.out::println);
                }
            }
        }
        System.out.println(Machine.describe());
    }

    static Result run(
            BenchmarkDatabase database, Limit limit, int rows, int instances, Duration settling, Duration watch)
            throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger started = new AtomicInteger();
        JobListener listener = new JobListener() {
            @Override
            public void started(Job job, Duration lateness) {
                started.incrementAndGet();
            }
        };
        Handler.Builder handler = Handler.named(JOB);
        limit.limit(handler);
        List<Handler> handlers = List.of(handler.calls((arguments, job) -> {
            release.await();
            return null;
        }));
        Deque<BenchmarkEngine> engines = new ArrayDeque<>();
        try {
            IntStream.rangeClosed(1, instances)
                    .mapToObj(i -> EngineSettings.defaults("benchmark#" + i))
                    .forEach(settings ->
                            engines.add(new BenchmarkEngine(database.dataSource(), settings, listener, handlers)));
            limit.write(engines.getFirst(), rows);
            database.vacuum();
            engines.forEach(BenchmarkEngine::start);
            awaitStarts(limit.starts(), started);
            park(settling);
            Meter before = Meter.read(database);
            park(watch);
            return new Result(limit, rows, instances, Meter.read(database).since(before), started.get());
        } finally {
            release.countDown();
            engines.forEach(BenchmarkEngine::close);
        }
    }

    private static void awaitStarts(int expected, AtomicInteger started) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (started.get() < expected) {
            if (System.nanoTime() - giveUp > 0) {
                throw new IllegalStateException("The first job has not started within %s.".formatted(PATIENCE));
            }
            LockSupport.parkNanos(PARKED.toNanos());
        }
    }

    private static void park(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
