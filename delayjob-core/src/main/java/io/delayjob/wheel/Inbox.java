package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What other threads hand over to the one that polls: new timers, and cancelled ones to be taken out of their slots. Two
 * stacks of linked entries (R. K. Treiber, 1986); to hand over is one compare-and-set and never blocks. The polling
 * thread takes a stack as a whole, so an entry is never pushed twice and there is no ABA problem.
 */
final class Inbox {

    private final AtomicReference<@Nullable SharedEntry> arrivals = new AtomicReference<>();
    private final AtomicReference<@Nullable SharedEntry> cancellations = new AtomicReference<>();

    /** Counts after the push, so it may lag behind the stack by as many as there are threads, and be negative. */
    private final AtomicInteger cancellationCount = new AtomicInteger();

    void arrive(SharedEntry entry) {
        SharedEntry head;
        do {
            head = arrivals.get();
            entry.nextArrival = head;
        } while (!arrivals.weakCompareAndSetVolatile(head, entry));
    }

    boolean hasArrivals() {
        return arrivals.get() != null;
    }

    /** Takes all new timers, the oldest first, linked by {@link SharedEntry#nextArrival}. */
    @Nullable
    SharedEntry takeArrivals() {
        SharedEntry entry = hasArrivals() ? arrivals.getAndSet(null) : null;
        SharedEntry oldest = null;
        while (entry != null) {
            SharedEntry older = entry.nextArrival;
            entry.nextArrival = oldest;
            oldest = entry;
            entry = older;
        }
        return oldest;
    }

    /** Returns how many wait now. */
    int cancel(SharedEntry entry) {
        SharedEntry head;
        do {
            head = cancellations.get();
            entry.nextCancellation = head;
        } while (!cancellations.weakCompareAndSetVolatile(head, entry));
        return cancellationCount.incrementAndGet();
    }

    int cancellations() {
        return cancellationCount.get();
    }

    /** Takes the cancelled timers out of the slots that they lie in. */
    void removeCancelled() {
        SharedEntry entry = cancellations.get() == null ? null : cancellations.getAndSet(null);
        int removed = 0;
        while (entry != null) {
            SharedEntry next = entry.nextCancellation;
            entry.nextCancellation = null;
            entry.leaveSlot();
            entry = next;
            removed++;
        }
        cancellationCount.addAndGet(-removed);
    }
}
