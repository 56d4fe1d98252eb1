package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short runs, so that the benchmarks never rot. They hold what must always hold, and bars ten times as wide as the goals. */
class DurableBenchmarksTest {

    @Test
    void jobsFiftyMillisecondsAheadAreNotEarlyAndNotVeryLate() throws Exception {
        try (BenchDatabase database = BenchDatabase.open()) {
            Lateness.Summary summary = LatenessBenchmark.run(database, 200, 3, Duration.ofMillis(50));
            System.out.println(summary);
            assertThat(summary.sortedNanos().length).isEqualTo(600);
            assertThat(summary.early()).isZero();
            assertThat(summary.duplicates()).isZero();
            assertThat(summary.millis(0.5)).isLessThan(20);
        }
    }

    @Test
    void drainOfNoOpsTakesFewStatements() throws Exception {
        try (BenchDatabase database = BenchDatabase.open()) {
            DrainBenchmark.Result result = DrainBenchmark.run(database, 10_000, Duration.ofDays(7));
            System.out.println(result);
            assertThat(result.statementsPerJob()).isLessThanOrEqualTo(0.2);
            assertThat(result.duplicates()).isZero();
        }
    }

    @Test
    void backlogPassesThroughASmallHeap(@TempDir File directory) throws Exception {
        File output = new File(directory, "output");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx96m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        BacklogBenchmark.class.getName(),
                        "50000")
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(output))
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(output).content().contains("50000 jobs passed");
        assertThat(process.exitValue()).isZero();
    }
}
