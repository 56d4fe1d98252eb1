package io.delayjob.benchmarks.durable;

import io.delayjob.benchmarks.durable.CountingDataSource.Counts;
import io.delayjob.handler.Handler;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Measures how fast the engine works off many due jobs, and how many statements it needs. The measured time ends when
 * the end of the last job is stored durably.
 */
public final class DrainBenchmark {

    private static final String JOB = "no-op";

    record Result(int jobs, Duration took, Counts counts, long repeated) {

        double jobsPerSecond() {
            return jobs / (took.toNanos() / 1e9);
        }

        double statementsPerJob() {
            return counts.statements() / (double) jobs;
        }

        @Override
        public String toString() {
            return "%,d due no-ops in %.2f s: %,.0f jobs/s, %.4f statements and %.4f commits per job, %d repeated%n"
                    .formatted(
                            jobs,
                            took.toNanos() / 1e9,
                            jobsPerSecond(),
                            statementsPerJob(),
                            counts.commits() / (double) jobs,
                            repeated);
        }
    }

    private DrainBenchmark() {}

    /** @param arguments {@code --url}, {@code --jobs} (10,000), {@code --rounds} (5; the first rounds warm up) */
    public static void main(String[] arguments) throws InterruptedException {
        Options options = Options.parse(arguments, Set.of("url", "jobs", "rounds"));
        System.out.println(Machine.describe());
        for (int round = 0; round < options.number("rounds", 5); round++) {
            try (BenchmarkDatabase database = BenchmarkDatabase.open(options.text("url"), 20)) {
                System.out.print(run(database, options.number("jobs", 10_000)));
            }
        }
        System.out.println(Machine.describe());
    }

    static Result run(BenchmarkDatabase database, int jobs) throws InterruptedException {
        Ends ends = new Ends(JOB, jobs);
        Handler handler = Handler.named(JOB).calls((arguments, job) -> null);
        EngineSettings settings = EngineSettings.defaults("benchmark#1");
        try (BenchmarkEngine engine = new BenchmarkEngine(database.dataSource(), settings, ends, List.of(handler))) {
            engine.writeDue(JOB, jobs);
            database.vacuum();
            Counts before = database.dataSource().counts();
            long start = System.nanoTime();
            engine.start();
            ends.await(Duration.ofMinutes(5));
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            return new Result(jobs, took, database.dataSource().counts().since(before), ends.repeated());
        }
    }
}
