package io.delayjob.wheel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The threads that wait for a snapshot. The next poll takes one snapshot for all waiting threads. Thread-safe. */
final class Onlookers {

    private final AtomicReference<@Nullable CompletableFuture<WheelSnapshot>> waiting = new AtomicReference<>();

    /** Waits for the next snapshot, together with any other threads. Returns a future of the snapshot. */
    Future<WheelSnapshot> join() {
        CompletableFuture<WheelSnapshot> first = new CompletableFuture<>();
        CompletableFuture<WheelSnapshot> before = waiting.compareAndExchange(null, first);
        // Each caller gets a copy, because a caller that cancels must not take the answer from the others.
        return (before == null ? first : before).copy();
    }

    boolean areWaiting() {
        return waiting.get() != null;
    }

    /** Answers the threads that wait. A thread that joins while a snapshot is taken waits for the next snapshot. */
    void answer(Supplier<WheelSnapshot> source) {
        CompletableFuture<WheelSnapshot> answered = waiting.getAndSet(null);
        if (answered != null) {
            answered.complete(source.get());
        }
    }

    /** Tells the threads that wait that no answer will come. */
    void dismiss(RejectedExecutionException reason) {
        CompletableFuture<WheelSnapshot> dismissed = waiting.getAndSet(null);
        if (dismissed != null) {
            dismissed.completeExceptionally(reason);
        }
    }
}
