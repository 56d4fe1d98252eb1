package io.delayjob.wheel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Contains the threads that wait for a snapshot of the wheel. The next poll takes one snapshot for all waiting threads.
 * Thread-safe.
 */
final class Onlookers {

    private final AtomicReference<@Nullable CompletableFuture<WheelSnapshot>> waiting = new AtomicReference<>();

    Future<WheelSnapshot> join() {
        CompletableFuture<WheelSnapshot> first = new CompletableFuture<>();
        CompletableFuture<WheelSnapshot> before = waiting.compareAndExchange(null, first);
        // Each caller gets its own copy of the future, because a caller that cancels its future must not cancel the
        // futures of other callers.
        return (before == null ? first : before).copy();
    }

    boolean areWaiting() {
        return waiting.get() != null;
    }

    /**
     * Gives a snapshot to the waiting threads. A thread that joins while the snapshot is taken waits for the next
     * snapshot.
     */
    void answer(Supplier<WheelSnapshot> source) {
        CompletableFuture<WheelSnapshot> answered = waiting.getAndSet(null);
        if (answered != null) {
            answered.complete(source.get());
        }
    }

    /** Gives this exception to all waiting threads, because no snapshot will follow. */
    void dismiss(RejectedExecutionException reason) {
        CompletableFuture<WheelSnapshot> dismissed = waiting.getAndSet(null);
        if (dismissed != null) {
            dismissed.completeExceptionally(reason);
        }
    }
}
