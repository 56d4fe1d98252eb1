package io.delayjob.wheel;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the number of pending timers. Without a limit, timers are not counted, so that threads do not compete for the
 * counter.
 */
final class Places {

    private final int bound;
    private final AtomicInteger free;

    /** @param bound the maximum number; {@link Integer#MAX_VALUE} means no limit */
    Places(int bound) {
        this.bound = bound;
        this.free = new AtomicInteger(bound);
    }

    void take() {
        if (bound == Integer.MAX_VALUE) {
            return;
        }
        int places;
        do {
            places = free.get();
            if (places == 0) {
                throw new RejectedExecutionException(
                        "This timing wheel already holds %d timers, its maximum (maxTimers): raise the limit, or wait until some timers have fired"
                                .formatted(bound));
            }
        } while (!free.compareAndSet(places, places - 1));
    }

    void free() {
        if (bound < Integer.MAX_VALUE) {
            free.incrementAndGet();
        }
    }
}
