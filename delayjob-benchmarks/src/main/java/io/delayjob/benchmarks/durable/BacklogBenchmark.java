package io.delayjob.benchmarks.durable;

import io.delayjob.EngineSettings;
import java.time.Duration;

/**
 * Does a backlog pass through a small memory? Run it with {@code -Xmx96m}: a million due rows, {@code wheel.max-jobs=1000}.
 *
 * <p>Arguments: jobs (1000000).
 */
public final class BacklogBenchmark {

    private BacklogBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        int jobs = LatenessBenchmark.argument(arguments, 0, 1_000_000);
        try (BenchDatabase database = BenchDatabase.open()) {
            EngineSettings settings =
                    Backlog.settings(Duration.ZERO).maxJobs(1_000).build();
            Count count = new Count(jobs);
            try (BenchEngine engine = new BenchEngine(database.dataSource(), settings, count)) {
                Backlog.insert(database, engine, jobs);
                long started = System.nanoTime();
                engine.start();
                count.await();
                double seconds = (System.nanoTime() - started) / 1e9;
                System.out.printf(
                        "%s; %d jobs passed in %.1f s (%.0f jobs/s) with wheel.max-jobs=1000 and a heap of %d MB%n",
                        database.version(),
                        jobs,
                        seconds,
                        jobs / seconds,
                        Runtime.getRuntime().maxMemory() >> 20);
            }
        }
    }
}
