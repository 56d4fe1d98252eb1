package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.GroupCounts;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs each benchmark for a few seconds, so that none breaks unnoticed. Comparisons have tests of their own. Results
 * that must hold on every machine are checked exactly. Times may be ten times those of an idle machine, because the
 * build uses the machine, too.
 */
@Tag("full")
class ShortRunsTest {

    private static final Duration MEDIAN_IN_CALM = Duration.ofMillis(2);
    private static final double WAITING_PER_SECOND = 5;
    private static final Duration WINDOW = Duration.ofSeconds(2);

    private static BenchmarkDatabase database;

    @BeforeAll
    static void open() {
        database = ShortRuns.open();
    }

    @AfterAll
    static void close() {
        if (database != null) {
            database.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.05S", "PT3S"})
    void durableJobs_startOnTimeAndNeverEarly(Duration ahead) throws Exception {
        LatenessBenchmark.Load load =
                new LatenessBenchmark.Load(200, Duration.ofSeconds(1), Duration.ofSeconds(2), WINDOW, ahead, 2);

        LatenessBenchmark.Result result = LatenessBenchmark.run(database, load);

        assertThat(result.byEngine().count()).isEqualTo(400);
        assertThat(result.repeated()).as("%s", result).isZero();
        assertThat(result.byEngine().earliest()).as("%s", result).isGreaterThanOrEqualTo(Duration.ZERO);
        if (result.byMachine() != null) {
            assertThat(result.byMachine().earliest()).as("%s", result).isGreaterThanOrEqualTo(Duration.ZERO);
        }
        assertThat(result.byEngine().p50()).as("%s", result).isLessThan(MEDIAN_IN_CALM.multipliedBy(10));
    }

    @Test
    void dueJobs_drainInBatches() throws Exception {
        DrainBenchmark.Result result = DrainBenchmark.run(database, 10_000);

        assertThat(result.statementsPerJob()).as("%s", result).isLessThanOrEqualTo(0.2);
        assertThat(result.repeated()).as("%s", result).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void jobsWithALimit_runOnceAndInBatches(LimitCostBenchmark.Limit limit) throws Exception {
        LimitCostBenchmark.Result result = LimitCostBenchmark.run(database, limit, 3_000);

        assertThat(result.cost().counts().statements()).as("%s", result).isLessThanOrEqualTo(3_000);
        assertThat(result.repeated()).as("%s", result).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void rowsThatWaitBehindALimit_costFewStatements(WaitingRowsBenchmark.Limit limit) throws Exception {
        WaitingRowsBenchmark.Result result;
        try (BenchmarkDatabase own = ShortRuns.open()) { // the rows still wait when the run ends
            result = WaitingRowsBenchmark.run(own, limit, 20_000, 1, Duration.ofMillis(500), Duration.ofSeconds(2));
        }

        assertThat(result.started()).as("%s", result).isEqualTo(limit.starts());
        assertThat(result.statementsPerSecond()).as("%s", result).isLessThan(10 * WAITING_PER_SECOND);
    }

    @Test
    void endOfAGroup_isNoticedOnce() throws Exception {
        GroupBenchmark.Result result = GroupBenchmark.run(database, 10_000);

        assertThat(result.followers()).as("%s", result).isEqualTo(1);
        assertThat(result.group().counts()).isEqualTo(new GroupCounts(10_000, 10_000, 0, 0));
        assertThat(result.noticed()).as("%s", result).isPositive().isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void asynchronousCommits_areThoseOfTheContendersConnections() {
        try (BenchmarkDatabase asynchronous = BenchmarkDatabase.openEmpty(ShortRuns.url(), 1, Commits.ASYNCHRONOUS)) {
            assertThat(asynchronous.text("SHOW synchronous_commit")).isEqualTo("off");
        }
        assertThat(database.text("SHOW synchronous_commit")).isEqualTo("on");
    }

    @Test
    void poison_delaysNoNeighbourAndAHandlerThatNeverReturnsCostsOneSlot() throws Exception {
        PoisonBenchmark.Result result = PoisonBenchmark.run(database, 20_000, 400);

        assertThat(result.took()).as("%s", result).isLessThan(Duration.ofSeconds(30));
        assertThat(result.onTime().earliest()).as("%s", result).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(result.onTime().p50()).as("%s", result).isLessThan(Duration.ofMillis(500));
        assertThat(result.timeOuts()).as("%s", result).isEqualTo(1);
        assertThat(result.slotsLost()).as("%s", result).isEqualTo(1);
    }

    @Test
    void backlog_passesThroughASmallHeap(@TempDir Path directory) throws Exception {
        File output = directory.resolve("output").toFile();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BacklogInSmallHeap.class.getName(),
                        "30000")
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as("%s", Files.readString(output.toPath()))
                .isZero();
    }
}
