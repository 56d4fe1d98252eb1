package io.delayjob.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.store.DueSink;
import io.delayjob.store.PartitionCursor;
import io.delayjob.time.HandClock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryJobStoreTest {

    private static final int TIMES = 100_000;

    private final HandClock clock = new HandClock();
    private final MemoryJobStore store = new MemoryJobStore(clock::storeMicros);

    @Test
    void readsOfTheRegisterAndOfLostAttempts_atTheSameTime_doNotDeadlock() {
        long number = store.instances().register("one", Set.of("default"), Set.of());
        Job job = GivenJob.given().done();
        store.submit(List.of(GivenJob.given().toBeWritten()), DueSink.NONE);
        store.claim(List.of(store.find(job.id()).orElseThrow().toDueRow()), number, 5, clock.storeTime());
        List<PartitionCursor> start = List.of(PartitionCursor.start(job.partition()));

        CompletableFuture<Void> looking = repeatedly(() -> store.instances().look(number));
        CompletableFuture<Void> rescuing =
                repeatedly(() -> store.claimedByOthers(start, clock.storeTime(), Set.of(), 10));

        assertThat(CompletableFuture.allOf(looking, rescuing)).succeedsWithin(30, TimeUnit.SECONDS);
    }

    /** Calls in a thread of its own, because the common pool of a machine with two cores has only one thread. */
    private static CompletableFuture<Void> repeatedly(Runnable call) {
        return CompletableFuture.runAsync(
                () -> {
                    for (int i = 0; i < TIMES; i++) {
                        call.run();
                    }
                },
                task -> new Thread(task, "caller").start());
    }
}
