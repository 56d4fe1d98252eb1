package io.delayjob.benchmarks.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BarTest {

    private static final Part PART = Part.CANCEL_1M;
    private static final Bar NO_SLOWER_THAN_THE_BEST = bar(1.0);
    private static final Bar HALF_OF_KAFKA = bar(0.5);

    @Test
    void interval_of8IsAllAndOf20LeavesOutThreeOnEitherSide() {
        assertThat(Estimate.of(numbers(8))).isEqualTo(new Estimate(1, 4.5, 8));
        assertThat(Estimate.of(numbers(20))).isEqualTo(new Estimate(4, 10.5, 17));
        assertThatThrownBy(() -> Estimate.of(numbers(7))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bar_isJudgedByTheIntervals() {
        assertThat(HALF_OF_KAFKA.judge(shown(40, 100))).endsWith("| met |");
        assertThat(HALF_OF_KAFKA.judge(shown(49, 100))).endsWith("| met, but the intervals overlap |");
        assertThat(HALF_OF_KAFKA.judge(shown(60, 100))).endsWith("| missed by 20 % |");
    }

    @Test
    void bar_ofOnceTheBestIsMetByATie() {
        assertThat(NO_SLOWER_THAN_THE_BEST.judge(shown(101, 100))).endsWith("| met: a tie |");
        assertThat(NO_SLOWER_THAN_THE_BEST.judge(shown(110, 100))).endsWith("| missed by 10 % |");
    }

    @Test
    void results_areReadAsTheyWereWritten(@TempDir Path directory) throws Exception {
        Cell written = around(100);
        for (String timers : PART.timers()) {
            Files.write(Results.file(directory, PART, timers), written.toLines());
        }

        Results read = Results.read(directory, PART);

        assertThat(read.cells()).containsOnlyKeys(PART.timers());
        assertThat(read.estimate(Part.OURS, Cell.SCORE)).isEqualTo(written.estimate(Cell.SCORE));
    }

    private static Bar bar(double factor) {
        return Bar.ALL.stream()
                .filter(bar -> bar.part() == PART && bar.factor() == factor)
                .findAny()
                .orElseThrow();
    }

    private static Map<Part, Results> shown(double ours, double theirs) {
        return Map.of(
                PART,
                new Results(
                        PART,
                        Map.of(
                                Part.OURS,
                                around(ours),
                                "NETTY",
                                around(theirs),
                                "KAFKA",
                                around(theirs),
                                "AGRONA",
                                around(theirs),
                                "EXECUTOR",
                                around(theirs),
                                "FORK_JOIN",
                                around(theirs))));
    }

    /** With an interval of 3 % on either side. */
    private static Cell around(double median) {
        double[] values = {0.97, 0.98, 0.99, 1, 1, 1.01, 1.02, 1.03};
        return new Cell(Map.of(
                Cell.SCORE, Arrays.stream(values).map(value -> value * median).toArray()));
    }

    private static double[] numbers(int count) {
        return IntStream.rangeClosed(1, count).asDoubleStream().toArray();
    }
}
