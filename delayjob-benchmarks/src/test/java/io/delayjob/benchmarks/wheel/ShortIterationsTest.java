package io.delayjob.benchmarks.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** One short iteration of each part of the table with each timer, so that none rots. Times are not judged here. */
@Tag("full")
class ShortIterationsTest {

    private static final String IGNORE_LOCK = "jmh.ignoreLock";

    @BeforeAll
    static void letOtherBuildsRun() {
        System.setProperty(IGNORE_LOCK, "true");
    }

    @AfterAll
    static void restore() {
        System.clearProperty(IGNORE_LOCK);
    }

    @ParameterizedTest
    @EnumSource
    void everyPart_runsWithEachTimer(Part part) throws RunnerException {
        for (String timers : part.timers()) {
            Cell cell = Cell.of(new Runner(tiny(part.options(timers))).run());

            assertThat(cell.measurements().values()).as("%s, %s", part, timers).allMatch(values -> values.length == 1);
            if (part == Part.LATENESS_1K && timers.equals(Part.OURS)) {
                assertThat(cell.measurements().get("early")).containsExactly(0);
                assertThat(cell.measurements().get("earliest")[0]).isNotNegative();
            }
        }
    }

    private static Options tiny(Options whole) {
        return new OptionsBuilder()
                .parent(whole)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(20))
                .param("pending", "1000")
                .param("size", "1000")
                .param("rate", "1000")
                .param("secondsAhead", "1")
                .param("millis", "50")
                .build();
    }
}
