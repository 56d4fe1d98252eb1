package io.delayjob.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.benchmarks.durable.Comparison.Result;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    @Test
    void medianIsThatOfEachFigureByItself() {
        Result median = Result.median(List.of(round(1, 30, 0), round(3, 20, 1), round(2, 10, 0)), 0);

        assertThat(median).isEqualTo(round(2, 20, 1));
    }

    @Test
    void medianOfTwoRoundsLiesBetweenThem() {
        assertThat(Result.median(List.of(round(1, 30, 0), round(3, 20, 0)), 0)).isEqualTo(round(2, 25, 0));
    }

    @Test
    void roundsThatWarmUp_countForNothingButWhatMustNotBe() {
        assertThat(Result.median(List.of(round(9, 90, 1), round(1, 30, 0), round(3, 20, 0)), 1))
                .isEqualTo(round(2, 25, 1));
    }

    @Test
    void whoDoesNotKeepUpIsNamed() {
        Result kept = round(1, 30, 0);
        Result behind = new Result(kept.figures(), 0, 0, 7);

        assertThat(kept.toString()).doesNotContain("KEEP UP");
        assertThat(Result.median(List.of(kept, behind), 0).toString()).contains("did NOT KEEP UP: 7");
    }

    @Test
    void threadThatFails_failsTheRunAndEndsTheOthers() throws Exception {
        IllegalStateException cause = new IllegalStateException("the third job is refused");
        CountDownLatch ended = new CountDownLatch(1);

        assertThatThrownBy(() -> Threads.runAll(2, Duration.ofMinutes(1), number -> {
                    if (number == 1) {
                        throw cause;
                    }
                    while (!Thread.interrupted()) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    ended.countDown();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(cause);
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void threadsThatTakeTooLong_failTheRun() {
        assertThatThrownBy(() -> Threads.runAll(1, Duration.ofMillis(10), number -> LockSupport.park()))
                .hasMessageContaining("1 of 1 threads");
    }

    @Test
    void optionWithAnotherValueThanThoseThereAre_isRefused() {
        Options options = Options.parse(
                new String[] {"--commits=asynchronous", "--scenario=sleep"}, Set.of("commits", "scenario"));

        assertThat(options.oneOf("commits", Commits.DURABLE)).isEqualTo(Commits.ASYNCHRONOUS);
        assertThatThrownBy(() -> options.oneOf("scenario", Comparison.Scenario.DRAIN))
                .hasMessageContaining("sleep")
                .hasMessageContaining("IDLE");
    }

    private static Result round(double p50, double p99, long repeated) {
        return new Result(List.of(new Figure("p50 %.1f", p50), new Figure("p99 %.1f", p99)), repeated, 0, 0);
    }
}
