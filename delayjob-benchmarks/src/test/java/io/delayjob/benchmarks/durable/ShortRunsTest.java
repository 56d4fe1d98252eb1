package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.jdbc.dialect.Dialect;
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each benchmark for a few seconds, so that none rots. What must hold anywhere is checked to the letter; times, on a machine
 * that builds, at ten times what a calm one needs.
 */
class ShortRunsTest {

    private static final Duration MEDIAN_IN_CALM = Duration.ofMillis(2);
    private static final Duration WINDOW = Duration.ofSeconds(2);

    private static BenchmarkDatabase database;

    @BeforeAll
    static void open() {
        try {
            database = BenchmarkDatabase.open(System.getenv("DELAYJOB_TEST_POSTGRES_URL"), 20);
        } catch (UncheckedIOException cannotStart) {
            boolean required = Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_DATABASES"));
            Assumptions.assumeTrue(required, "no PostgreSQL: none is named, and none could be started here");
            throw cannotStart;
        }
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
    @ValueSource(
            strings = {"delayjob-without-history", "db-scheduler-lock-and-fetch", "jobrunr", "plain-sql", "quartz"})
    void contenders_runEachJobOnce(String contender) throws Exception {
        Comparison.Result result = compare(contender, Comparison.Scenario.DRAIN, 50, 100);

        assertThat(result.repeated()).as("%s", result).isZero();
        assertThat(result.early()).as("%s", result).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayjob", "db-scheduler-lock-and-fetch"})
    void contenders_scheduleManyAtOnce(String contender) throws Exception {
        Comparison.Result result = compare(contender, Comparison.Scenario.BULK, 10_001, 0);

        assertThat(result.figures().get(1).value())
                .as("statements a job, in %s", result)
                .isLessThan(0.01);
    }

    @Test
    void jobsThatSeveralThreadsSchedule_shareStatements() throws Exception {
        Comparison.Result result = compare("delayjob", Comparison.Scenario.ENQUEUE, 1_000, 0);

        assertThat(result.figures().get(1).value())
                .as("statements a job, in %s", result)
                .isLessThan(0.9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"db-scheduler-lock-and-fetch", "plain-sql"})
    void contenders_scheduleOneByOne(String contender) throws Exception {
        Comparison.Result result = compare(contender, Comparison.Scenario.ENQUEUE, 100, 0);

        assertThat(result.figures().get(1).value())
                .as("statements a job, in %s", result)
                .isGreaterThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayjob", "db-scheduler-fetch", "db-scheduler-lock-and-fetch", "jobrunr", "quartz"})
    void contenders_startJobsThatComeDue(String contender) throws Exception {
        Comparison.Result result = compare(contender, Comparison.Scenario.LATENESS, 100, 0);

        assertThat(result.repeated()).as("%s", result).isZero();
        assertThat(result.figures().get(5).value())
                .as("jobs that count, in %s", result)
                .isEqualTo(50);
        if (contender.equals("delayjob")) {
            assertThat(result.early()).as("%s", result).isZero();
        }
    }

    @Test
    void contenderThatRefusesAJob_endsTheRunWithItsReason() {
        IllegalStateException reason = new IllegalStateException("refused");

        assertThatThrownBy(() -> Comparison.run(
                        System.getenv("DELAYJOB_TEST_POSTGRES_URL"),
                        new Refusing(new PlainSqlContender(), reason),
                        load(Comparison.Scenario.ENQUEUE, 20, 0)))
                .hasCause(reason);
    }

    @Test
    void idle_countsStatementsOnTheTableOfJobsApart() throws Exception {
        Comparison.Result result = compare("delayjob", Comparison.Scenario.IDLE, 1, 1_000);

        double all = result.figures().get(0).value();
        double onJobs = result.figures().get(1).value();
        assertThat(onJobs).as("%s", result).isPositive().isLessThan(all);
    }

    @Test
    void asynchronousCommits_areThoseOfTheContendersConnections() {
        try (BenchmarkDatabase asynchronous =
                BenchmarkDatabase.openEmpty(System.getenv("DELAYJOB_TEST_POSTGRES_URL"), 1, Commits.ASYNCHRONOUS)) {
            assertThat(asynchronous.text("SHOW synchronous_commit")).isEqualTo("off");
        }
        assertThat(database.text("SHOW synchronous_commit")).isEqualTo("on");
    }

    private static Comparison.Result compare(String contender, Comparison.Scenario scenario, int jobs, int far)
            throws InterruptedException {
        return Comparison.run(
                System.getenv("DELAYJOB_TEST_POSTGRES_URL"),
                Contender.named(Set.of(contender)).get(contender),
                load(scenario, jobs, far));
    }

    private static Comparison.Load load(Comparison.Scenario scenario, int jobs, int far) {
        return new Comparison.Load(
                scenario,
                jobs,
                far,
                1,
                8,
                Duration.ZERO,
                100,
                Duration.ofMillis(50),
                Duration.ofSeconds(3),
                Commits.DURABLE);
    }

    /** One that refuses the third job. */
    private record Refusing(Contender contender, RuntimeException reason) implements Contender {

        @Override
        public String tables(Dialect dialect) {
            return contender.tables(dialect);
        }

        @Override
        public Instance open(DataSource dataSource, Work work, int number) {
            Instance instance = contender.open(dataSource, work, number);
            AtomicInteger scheduled = new AtomicInteger();
            return new Instance() {
                @Override
                public void start() {
                    instance.start();
                }

                @Override
                public void schedule(Instant due) {
                    if (scheduled.incrementAndGet() == 3) {
                        throw reason;
                    }
                    instance.schedule(due);
                }

                @Override
                public void scheduleAll(List<Instant> due) {
                    instance.scheduleAll(due);
                }

                @Override
                public void close() {
                    instance.close();
                }
            };
        }

        @Override
        public String unfinished() {
            return contender.unfinished();
        }

        @Override
        public Pattern jobTables() {
            return contender.jobTables();
        }

        @Override
        public String configuration() {
            return contender.configuration();
        }
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
