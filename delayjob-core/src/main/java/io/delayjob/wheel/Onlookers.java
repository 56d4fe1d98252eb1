package io.delayjob.wheel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The threads that wait for a snapshot. The next poll takes one for all of them. Thread-safe. */
final class Onlookers {

    private final AtomicReference<@Nullable CompletableFuture<WheelSnapshot>> waiting = new AtomicReference<>();

    /** Waits with the others that do, if any. */
    Future<WheelSnapshot> join() {
        CompletableFuture<WheelSnapshot> first = new CompletableFuture<>();
        CompletableFuture<WheelSnapshot> before = waiting.compareAndExchange(null, first);
        // A copy for each, because one that cancels must not take the answer from the others.
        return (before == null ? first : before).copy();
    }

    boolean areWaiting() {
        return waiting.get() != null;
    }

    /** Answers those that wait; a thread that joins while the snapshot is taken waits for the next one. */
    void answer(Supplier<WheelSnapshot> source) {
        CompletableFuture<WheelSnapshot> answered = waiting.getAndSet(null);
        if (answered != null) {
            answered.complete(source.get());
        }
    }

    /** Lets those that wait know that there will be no answer. */
    void dismiss(RejectedExecutionException reason) {
        CompletableFuture<WheelSnapshot> dismissed = waiting.getAndSet(null);
        if (dismissed != null) {
            dismissed.completeExceptionally(reason);
        }
    }
}
