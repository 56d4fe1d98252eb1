package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs each contender for a few seconds, so that none breaks unnoticed: scheduling, draining and idling. */
@Tag("full")
class ShortComparisonsTest {

    @BeforeAll
    static void needServer() {
        ShortRuns.open().close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"delayjob-without-history", "db-scheduler-lock-and-fetch", "jobrunr", "plain-sql", "quartz"})
    void contenders_runEachJobOnce(String contender) throws Exception {
        Comparison.Result result = ShortRuns.compare(contender, Comparison.Scenario.DRAIN, 50, 100);

        assertThat(result.repeated()).as("%s", result).isZero();
        assertThat(result.early()).as("%s", result).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayjob", "db-scheduler-lock-and-fetch"})
    void contenders_scheduleManyAtOnce(String contender) throws Exception {
        Comparison.Result result = ShortRuns.compare(contender, Comparison.Scenario.BULK, 10_001, 0);

        assertThat(result.figures().get(1).value())
                .as("statements a job, in %s", result)
                .isLessThan(0.01);
    }

    @Test
    void jobsThatSeveralThreadsSchedule_shareStatements() throws Exception {
        Comparison.Result result = ShortRuns.compare("delayjob", Comparison.Scenario.ENQUEUE, 1_000, 0);

        assertThat(result.figures().get(1).value())
                .as("statements a job, in %s", result)
                .isLessThan(0.9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"db-scheduler-lock-and-fetch", "plain-sql"})
    void contenders_scheduleOneByOne(String contender) throws Exception {
        Comparison.Result result = ShortRuns.compare(contender, Comparison.Scenario.ENQUEUE, 100, 0);

        assertThat(result.figures().get(1).value())
                .as("statements a job, in %s", result)
                .isGreaterThanOrEqualTo(1);
    }

    @Test
    void contenderThatRefusesAJob_endsTheRunWithItsReason() {
        IllegalStateException reason = new IllegalStateException("refused");

        assertThatThrownBy(() -> Comparison.run(
                        ShortRuns.url(),
                        new Refusing(new PlainSqlContender(), reason),
                        ShortRuns.load(Comparison.Scenario.ENQUEUE, 20, 0)))
                .hasCause(reason);
    }

    @Test
    void idle_countsStatementsOnTheTableOfJobsApart() throws Exception {
        Comparison.Result result = ShortRuns.compare("delayjob", Comparison.Scenario.IDLE, 1, 1_000);

        double all = result.figures().get(0).value();
        double onJobs = result.figures().get(1).value();
        assertThat(onJobs).as("%s", result).isPositive().isLessThan(all);
    }

    /** A contender that refuses the third job. */
    private record Refusing(Contender contender, RuntimeException reason) implements Contender {

        @Override
        public String tables() {
            return contender.tables();
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
}
