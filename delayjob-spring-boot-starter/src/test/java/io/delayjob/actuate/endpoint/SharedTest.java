package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.test.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedTest {

    private final VirtualClock clock = new VirtualClock(Instant.parse("2030-01-01T08:00:00Z"));
    private final AtomicInteger reads = new AtomicInteger();
    private final CountDownLatch underWay = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile boolean fails;
    private volatile boolean hangs;
    private final Shared<Integer> shared = new Shared<>(this::read, clock, Duration.ofSeconds(10));

    private int read() {
        int number = reads.incrementAndGet();
        if (hangs) {
            underWay.countDown();
            await(answered);
        }
        if (fails) {
            throw new IllegalStateException("read " + number);
        }
        return number;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException asked) {
            throw new IllegalStateException(asked);
        }
    }

    @Test
    void answer_isSharedUntilItIsTooOld() {
        assertThat(shared.get()).isEqualTo(1);
        clock.advance(Duration.ofMillis(9_999));
        assertThat(shared.get()).isEqualTo(1);
        clock.advance(Duration.ofMillis(1));
        assertThat(shared.get()).isEqualTo(2);
    }

    @Test
    void readThatHangs_holdsNobodyUpWhoMayHaveTheFormerAnswer() throws Exception {
        shared.get();
        clock.advance(Duration.ofSeconds(10));
        hangs = true;
        CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(shared::get);
        await(underWay);

        CompletableFuture<Integer> meanwhile = new CompletableFuture<>();
        Thread viewer = new Thread(() -> meanwhile.complete(shared.get()));
        viewer.start();
        while (viewer.isAlive()) {
            assertThat(viewer.getState()).isNotEqualTo(Thread.State.TIMED_WAITING);
        }
        assertThat(meanwhile.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(reads).hasValue(2);
        answered.countDown();
        assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void firstReadThatHangs_isWaitedForAWhileOnly() throws Exception {
        hangs = true;
        CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(shared::get);
        await(underWay);

        assertThatThrownBy(shared::get).isInstanceOf(TooManyReadsException.class);
        answered.countDown();
        assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void callerThatHasWaitedForTheFirstRead_getsItsAnswer() throws Exception {
        // With the patience of a viewer, this test would fail if this machine paused for a second.
        Shared<Integer> patient = new Shared<>(this::read, clock, Duration.ofSeconds(10), Duration.ofSeconds(30));
        hangs = true;
        CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(patient::get);
        await(underWay);
        CompletableFuture<Integer> waits = new CompletableFuture<>();
        Thread second = new Thread(() -> waits.complete(patient.get()));
        second.start();
        while (second.isAlive() && second.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        hangs = false;
        answered.countDown();

        assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(waits.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(reads).as("both share one read").hasValue(1);
    }

    @Test
    void answerAfterAFailure_isSharedAgain() {
        fails = true;
        assertThatThrownBy(shared::get).hasMessage("read 1");
        clock.advance(Shared.FAILURE_LASTS);
        fails = false;
        assertThat(shared.get()).isEqualTo(2);
        assertThat(shared.get()).isEqualTo(2);
    }

    @Test
    void failure_standsForAMoment_andTheFormerAnswerIsRepeated() {
        shared.get();
        clock.advance(Duration.ofSeconds(10));
        fails = true;
        for (int viewer = 0; viewer < 100; viewer++) {
            assertThat(shared.get()).isEqualTo(1);
        }
        assertThat(reads).as("the store is asked once").hasValue(2);

        clock.advance(Shared.FAILURE_LASTS);
        fails = false;
        assertThat(shared.get()).isEqualTo(3);
    }

    @Test
    void failureOfTheFirstRead_isToldToAllWhoAskWithinAMoment() {
        fails = true;
        assertThatThrownBy(shared::get).hasMessage("read 1");
        assertThatThrownBy(shared::get).hasMessage("read 1");
        clock.advance(Shared.FAILURE_LASTS);
        assertThatThrownBy(shared::get).hasMessage("read 2");
    }
}
