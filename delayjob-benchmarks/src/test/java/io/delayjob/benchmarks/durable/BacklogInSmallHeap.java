package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** The main class of a JVM of its own, for which the heap is chosen. Ends with 0 if all is as it should be. */
final class BacklogInSmallHeap {

    private static final Duration WATCH = Duration.ofMinutes(2);

    private BacklogInSmallHeap() {}

    /** @param arguments the number of rows */
    public static void main(String[] arguments) throws InterruptedException {
        try (BenchmarkDatabase database = BenchmarkDatabase.open(System.getenv("DELAYJOB_TEST_POSTGRES_URL"), 20)) {
            BacklogBenchmark.Result result = BacklogBenchmark.run(database, Integer.parseInt(arguments[0]), WATCH);
            assertThat(result.mostInMemory()).as("%s", result).isLessThanOrEqualTo(BacklogBenchmark.MAX_JOBS);
            assertThat(result.statementsPerJob()).as("%s", result).isLessThanOrEqualTo(0.2);
            assertThat(result.repeated()).as("%s", result).isZero();
            assertThat(result.notStarted()).as("%s", result).isZero();
            assertThat(result.others().earliest()).as("%s", result).isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(result.own().earliest()).as("%s", result).isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(result.others().p50()).as("%s", result).isLessThan(Duration.ofMillis(500));
            assertThat(result.own().p50()).as("%s", result).isLessThan(Duration.ofMillis(500));
        }
    }
}
