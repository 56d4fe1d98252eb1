package io.delayjob.wheel;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Bounds the number of pending timers. Without a bound it counts nothing, so threads do not meet here. */
final class Places {

    private final int bound;
    private final AtomicInteger free;

    /** A bound of {@link Integer#MAX_VALUE} is none. */
    Places(int bound) {
        this.bound = bound;
        this.free = new AtomicInteger(bound);
    }

    /** Takes a place for a timer, or refuses the timer. */
    void take() {
        if (bound == Integer.MAX_VALUE) {
            return;
        }
        int places;
        do {
            places = free.get();
            if (places == 0) {
                throw new RejectedExecutionException(
                        "This timing wheel holds %d timers, as many as it may (maxTimers): raise the bound, or wait until some have fired"
                                .formatted(bound));
            }
        } while (!free.compareAndSet(places, places - 1));
    }

    /** Gives the place of a timer back that has ended. */
    void free() {
        if (bound < Integer.MAX_VALUE) {
            free.incrementAndGet();
        }
    }
}
