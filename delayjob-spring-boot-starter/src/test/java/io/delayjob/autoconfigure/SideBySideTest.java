package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SideBySideTest {

    private static final long PATIENCE_SECONDS = 60;

    private final CyclicBarrier allUnderWay = new CyclicBarrier(3);

    @Test
    void work_isUnderWayAtTheSameTime_andItsResultsKeepTheirOrder() {
        assertThat(SideBySide.all(List.of(together("a"), together("b"), together("c"))))
                .containsExactly("a", "b", "c");
    }

    @Test
    void noWork_hasNoResults() {
        assertThat(SideBySide.all(List.of())).isEmpty();
    }

    @Test
    void firstFailure_isThrownOnlyWhenAllWorkHasEnded() {
        IllegalStateException first = new IllegalStateException("first");
        IllegalArgumentException second = new IllegalArgumentException("second");
        CountDownLatch failed = new CountDownLatch(2);
        AtomicBoolean ended = new AtomicBoolean();

        assertThatThrownBy(() -> SideBySide.all(List.of(
                        failing(first, failed),
                        () -> {
                            awaitAll(failed);
                            ended.set(true);
                            return "slow";
                        },
                        failing(second, failed))))
                .isSameAs(first)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).containsExactly(second));
        assertThat(ended).isTrue();
    }

    @Test
    void interruption_cancelsTheWork_andWaitsForItsEnd() {
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch neverReleased = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        Thread caller = Thread.currentThread();

        assertThatThrownBy(() -> SideBySide.all(List.of(
                        () -> {
                            awaitAll(underWay);
                            caller.interrupt();
                            return "fast";
                        },
                        () -> {
                            try {
                                underWay.countDown();
                                neverReleased.await();
                                return "slow";
                            } catch (InterruptedException cancelled) {
                                ended.set(true);
                                return "cancelled";
                            }
                        })))
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(ended).isTrue();
    }

    @Test
    void singlePieceOfWork_isDoneByTheCaller() {
        assertThat(SideBySide.all(List.of(Thread::currentThread))).containsExactly(Thread.currentThread());
    }

    @Test
    void error_isThrownAsItIs() {
        AssertionError error = new AssertionError("wrong");

        assertThatThrownBy(() -> SideBySide.all(List.of(() -> {
                    throw error;
                })))
                .isSameAs(error);
    }

    private Supplier<String> together(String result) {
        return () -> {
            try {
                allUnderWay.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return result;
            } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
                throw new IllegalStateException(alone);
            }
        };
    }

    private static Supplier<String> failing(RuntimeException failure, CountDownLatch failed) {
        return () -> {
            failed.countDown();
            throw failure;
        };
    }

    private static void awaitAll(CountDownLatch failed) {
        try {
            assertThat(failed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
