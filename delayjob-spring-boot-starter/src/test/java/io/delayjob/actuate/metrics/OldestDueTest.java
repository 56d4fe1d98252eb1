package io.delayjob.actuate.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.StoreException;
import io.delayjob.test.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OldestDueTest {

    private final VirtualClock clock = new VirtualClock(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = spy(new MemoryJobStore(clock::storeMicros));
    private final AtomicBoolean trouble = new AtomicBoolean();
    private final OldestDue oldestDue = new OldestDue(store, clock, trouble::get);

    @Test
    void nothing_hasNoAge() {
        assertThat(oldestDue.ageMillis()).isZero();
        submit(1, clock.storeTime().plusSeconds(60));
        pass(11);
        assertThat(oldestDue.ageMillis()).as("not due yet").isZero();
    }

    @Test
    void oldest_ofAllPartitions_isShown_andGrowsWithoutAskingAgain() {
        submit(1, clock.storeTime().minusSeconds(3));
        submit(2, clock.storeTime().minusSeconds(7));
        submit(2, clock.storeTime().minusSeconds(5));
        assertThat(oldestDue.ageMillis()).isEqualTo(7_000);

        submit(3, clock.storeTime().minusSeconds(60));
        pass(9);
        assertThat(oldestDue.ageMillis()).isEqualTo(16_000);
        pass(1);
        assertThat(oldestDue.ageMillis()).as("asked again after ten seconds").isEqualTo(70_000);
    }

    @Test
    void storeInTrouble_isNotAsked() {
        submit(1, clock.storeTime());
        trouble.set(true);
        assertThat(oldestDue.ageMillis()).isNaN();
        trouble.set(false);
        pass(10);
        assertThat(oldestDue.ageMillis()).isEqualTo(10_000);
    }

    @Test
    void storeThatFails_saysNothing() {
        submit(1, clock.storeTime());
        doThrow(StoreException.unavailable("away", new IllegalStateException()))
                .when(store)
                .dueAfter(any(), any(), anyInt());
        assertThat(oldestDue.ageMillis()).isNaN();
    }

    @Test
    void readerWhoComesWhileTheStoreIsAsked_getsTheAnswerBeforeAtOnce() throws Exception {
        submit(1, clock.storeTime().minusSeconds(3));
        assertThat(oldestDue.ageMillis()).isEqualTo(3_000);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        doAnswer(call -> {
                    asked.countDown();
                    answers.await();
                    return call.callRealMethod();
                })
                .when(store)
                .partitionsInUse();
        pass(10);
        CompletableFuture<Double> waits = byAnotherThread();
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Double> other = byAnotherThread();
        assertThat(other).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(13_000.0);

        answers.countDown();
        assertThat(waits).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(13_000.0);
    }

    /** Reads in a thread of its own, because the common pool of a machine with two cores has only one thread. */
    private CompletableFuture<Double> byAnotherThread() {
        return CompletableFuture.supplyAsync(oldestDue::ageMillis, task -> new Thread(task, "reader").start());
    }

    private void pass(long seconds) {
        clock.advance(Duration.ofSeconds(seconds));
    }

    private void submit(int partition, Instant due) {
        NewJob job = new NewJob(
                new JobId(UUID.randomUUID()),
                new Partition("default", partition),
                JobTask.of("nobody's"),
                JobPlan.once(clock.storeTime(), due),
                OnExisting.KEEP,
                1);
        store.submit(List.of(job), rows -> {});
    }
}
