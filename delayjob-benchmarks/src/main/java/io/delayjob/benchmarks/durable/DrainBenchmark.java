package io.delayjob.benchmarks.durable;

import io.delayjob.EngineSettings;
import java.time.Duration;

/**
 * How fast does a backlog of due no-op jobs drain, and how many statements does a job cost?
 *
 * <p>Arguments: jobs (10000), days finished jobs are kept (7; 0 for none).
 */
public final class DrainBenchmark {

    private DrainBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        int jobs = LatenessBenchmark.argument(arguments, 0, 10_000);
        int historyDays = LatenessBenchmark.argument(arguments, 1, 7);
        try (BenchDatabase database = BenchDatabase.open()) {
            System.out.printf("%s; %d due no-op jobs, history %d days%n", database.version(), jobs, historyDays);
            for (int round = 1; round <= 3; round++) {
                System.out.println(run(database, jobs, Duration.ofDays(historyDays)));
            }
        }
    }

    static Result run(BenchDatabase database, int jobs, Duration history) throws Exception {
        EngineSettings settings = Backlog.settings(history).build();
        Lateness lateness = new Lateness(jobs);
        try (BenchEngine engine = new BenchEngine(database.dataSource(), settings, lateness)) {
            Backlog.insert(database, engine, jobs);
            long statements = database.dataSource().executed();
            long started = System.nanoTime();
            engine.start();
            lateness.await(Duration.ofMinutes(5));
            double seconds = (System.nanoTime() - started) / 1e9;
            statements = database.dataSource().executed() - statements;
            return new Result(
                    jobs,
                    seconds,
                    (double) statements / jobs,
                    lateness.summary().duplicates());
        }
    }

    /**
     * What was measured, from the start of the engine to the last durable end.
     *
     * @param statementsPerJob everything counted: leases, heartbeats, reads, claims, completions
     * @param duplicates jobs that started more than once
     */
    record Result(int jobs, double seconds, double statementsPerJob, long duplicates) {

        @Override
        public String toString() {
            return "%d jobs in %.2f s: %.0f jobs/s, %.4f statements/job, twice %d"
                    .formatted(jobs, seconds, jobs / seconds, statementsPerJob, duplicates);
        }
    }
}
