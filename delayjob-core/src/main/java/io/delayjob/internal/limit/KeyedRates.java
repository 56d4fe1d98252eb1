package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.job.Partition;
import io.delayjob.time.EngineClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The rates of the handlers that have one for each key. Guarded as {@link Limits} is. */
final class KeyedRates {

    private final int partitions;
    private final ToLongFunction<Partition> term;
    private final EngineClock clock;

    /** The rates, by handler and queue. */
    private final Map<String, Map<String, KeyedRate>> all = new HashMap<>();

    private boolean hasLooked;
    private long seenMillis;
    private long seenNanos;

    /** @param partitions number of partitions of a queue */
    KeyedRates(Collection<Handler> handlers, int partitions, ToLongFunction<Partition> term, EngineClock clock) {
        this.partitions = partitions;
        this.term = term;
        this.clock = clock;
        // The rates are made now, so that they count from the first lease on, not from the first job on.
        handlers.forEach(handler -> of(handler, handler.queue()));
    }

    /** Returns the rate of each key of this handler in this queue; {@code null} if it has none. */
    @Nullable
    KeyedRate of(Handler handler, String queue) {
        RateLimit limit = handler.rateBy() == null ? null : handler.rate();
        return limit == null
                ? null
                : all.computeIfAbsent(handler.name(), unused -> new HashMap<>())
                        .computeIfAbsent(queue, unused -> newRate(limit, queue));
    }

    private KeyedRate newRate(RateLimit limit, String queue) {
        KeyedRate rate = new KeyedRate(limit, queue, partitions, term, clock);
        if (hasLooked) {
            rate.look(seenMillis + TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - seenNanos));
        }
        return rate;
    }

    void look(long storeMillis) {
        hasLooked = true;
        seenMillis = storeMillis;
        seenNanos = clock.nanoTime();
        all.values().forEach(ofHandler -> ofHandler.values().forEach(rate -> rate.look(storeMillis)));
    }
}
