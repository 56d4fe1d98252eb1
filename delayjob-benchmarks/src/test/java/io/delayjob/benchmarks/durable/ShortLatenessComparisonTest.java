package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs each contender for a few seconds, so that none breaks unnoticed: jobs that come due. */
@Tag("full")
class ShortLatenessComparisonTest {

    @BeforeAll
    static void needServer() {
        ShortRuns.open().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayjob", "db-scheduler-fetch", "db-scheduler-lock-and-fetch", "jobrunr", "quartz"})
    void contenders_startJobsThatComeDue(String contender) throws Exception {
        Comparison.Result result = ShortRuns.compare(contender, Comparison.Scenario.LATENESS, 100, 0);

        assertThat(result.repeated()).as("%s", result).isZero();
        assertThat(result.figures().get(5).value())
                .as("jobs that count, in %s", result)
                .isEqualTo(50);
        if (contender.equals("delayjob")) {
            assertThat(result.early()).as("%s", result).isZero();
        }
    }
}
