package io.delayjob.benchmarks.durable;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.JobExtras;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Measures how much a limit costs for a job that the limit does not delay. No job waits for a limit, so the times
 * differ only by the work for the limit.
 */
public final class LimitCostBenchmark {

    private static final String JOB = "no-op";
    private static final int KEYS = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    enum Limit {
        NONE,
        CLUSTER_CONCURRENCY {
            @Override
            void limit(Handler.Builder handler) {
                handler.concurrency(1_000).scope(ConcurrencyScope.CLUSTER);
            }
        },
        RATE {
            @Override
            void limit(Handler.Builder handler) {
                handler.rate(UNREACHABLE);
            }
        },
        RATE_BY_KEY {
            @Override
            void limit(Handler.Builder handler) {
                handler.rate(UNREACHABLE).rateBy(arguments -> JOB);
            }

            @Override
            JobExtras extras(String key) {
                return JobExtras.NONE.withRateKey(key);
            }
        },
        MUTEX {
            @Override
            JobExtras extras(String key) {
                return JobExtras.NONE.withMutex(key);
            }
        },
        FAIR_KEY {
            @Override
            void limit(Handler.Builder handler) {
                handler.fairBy(arguments -> JOB);
            }

            @Override
            JobExtras extras(String key) {
                return JobExtras.NONE.withFairKey(key);
            }
        };

        private static final RateLimit UNREACHABLE =
                new RateLimit(RateLimit.MAX_STARTS, RateLimit.Unit.SECOND, RateLimit.MAX_STARTS);

        void limit(Handler.Builder handler) {}

        JobExtras extras(String key) {
            return JobExtras.NONE;
        }

        String title() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    record Result(int jobs, Meter cost, long repeated) {

        double jobsPerSecond() {
            return jobs / cost.seconds();
        }
    }

    private LimitCostBenchmark() {}

    /** @param arguments {@code --url}, {@code --jobs} (100,000), {@code --rounds} (5; the first round warms up) */
    public static void main(String[] arguments) throws InterruptedException {
        Options options = Options.parse(arguments, Set.of("url", "jobs", "rounds"));
        int jobs = options.number("jobs", 100_000);
        Map<Limit, List<Result>> results = new EnumMap<>(Limit.class);
        System.out.println(Machine.describe());
        for (int round = 0; round < options.number("rounds", 5); round++) {
            List<Limit> order = new ArrayList<>(List.of(Limit.values()));
            Collections.rotate(order, round);
            for (Limit limit : order) {
                Result result;
                try (BenchmarkDatabase database = BenchmarkDatabase.open(options.text("url"), 20)) {
                    result = run(database, limit, jobs);
                }
                System.out.printf("round %d, %s%n", round, line(limit, result));
                if (round > 0) {
                    results.computeIfAbsent(limit, any -> new ArrayList<>()).add(result);
                }
            }
        }
        System.out.println("Medians of the rate");
        results.forEach((limit, ofLimit) -> System.out.println("  " + line(limit, median(ofLimit))));
        System.out.println(Machine.describe());
    }

    private static Result median(List<Result> results) {
        return results.stream()
                .sorted(Comparator.comparingDouble(Result::jobsPerSecond))
                .skip(results.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    private static String line(Limit limit, Result result) {
        return "%s: %,.0f jobs/s, %.4f statements, CPU %.1f us, the server's CPU %.1f us per job; %d repeated"
                .formatted(
                        limit.title(),
                        result.jobsPerSecond(),
                        result.cost.counts().statements() / (double) result.jobs,
                        result.cost.ownCpu().toNanos() / 1e3 / result.jobs,
                        result.cost.serverCpu().toNanos() / 1e3 / result.jobs,
                        result.repeated);
    }

    static Result run(BenchmarkDatabase database, Limit limit, int jobs) throws InterruptedException {
        Ends ends = new Ends(JOB, jobs);
        Handler.Builder handler = Handler.named(JOB);
        limit.limit(handler);
        EngineSettings settings = EngineSettings.defaults("benchmark#1");
        try (BenchmarkEngine engine = new BenchmarkEngine(
                database.dataSource(), settings, ends, List.of(handler.calls((arguments, job) -> null)))) {
            engine.writeDue(
                    JOB,
                    IntStream.range(0, jobs)
                            .mapToObj(i -> "key-" + i % KEYS)
                            .map(key -> new BenchmarkEngine.Keyed(
                                    key, limit.extras(key).toText()))
                            .toList());
            database.vacuum();
            Meter before = Meter.read(database);
            engine.start();
            ends.await(PATIENCE);
            return new Result(jobs, Meter.read(database).since(before), ends.repeated());
        }
    }
}
