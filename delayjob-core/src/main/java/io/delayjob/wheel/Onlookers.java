package io.delayjob.wheel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Contains the threads that wait for a snapshot of the wheel. Thread-safe. */
final class Onlookers {

    private final AtomicReference<@Nullable CompletableFuture<WheelSnapshot>> waiting = new AtomicReference<>();

    Future<WheelSnapshot> join() {
        CompletableFuture<WheelSnapshot> first = new CompletableFuture<>();
        CompletableFuture<WheelSnapshot> before = waiting.compareAndExchange(null, first);
        // A caller that cancels its future must not cancel the futures of other callers.
        return (before == null ? first : before).copy();
    }

    boolean areWaiting() {
        return waiting.get() != null;
    }

    /** If a thread joins while this method takes a snapshot, the thread waits for the next snapshot. */
    void answer(Supplier<WheelSnapshot> source) {
        CompletableFuture<WheelSnapshot> answered = waiting.getAndSet(null);
        if (answered != null) {
            answered.complete(source.get());
        }
    }

    void dismiss(RejectedExecutionException reason) {
        CompletableFuture<WheelSnapshot> dismissed = waiting.getAndSet(null);
        if (dismissed != null) {
            dismissed.completeExceptionally(reason);
        }
    }
}
