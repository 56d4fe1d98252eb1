package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.benchmarks.durable.Comparison.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    @Test
    void medianIsThatOfEachFigureByItself() {
        Result median = Result.median(List.of(round(1, 30, 0), round(3, 20, 1), round(2, 10, 0)));

        assertThat(median).isEqualTo(round(2, 20, 1));
    }

    @Test
    void medianOfTwoRoundsLiesBetweenThem() {
        assertThat(Result.median(List.of(round(1, 30, 0), round(3, 20, 0)))).isEqualTo(round(2, 25, 0));
    }

    private static Result round(double p50, double p99, long repeated) {
        return new Result(List.of(new Figure("p50 %.1f", p50), new Figure("p99 %.1f", p99)), repeated, 0);
    }
}
