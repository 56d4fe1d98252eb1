package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.RateLimit;
import io.delayjob.settings.EngineSettings;
import io.delayjob.time.EngineClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of the handlers and queues that have a rate, except {@linkplain KeyedRate rates by key}. A handler has one bucket for its jobs of all queues, and the
 * leases of its own queue give the share. Guarded as {@link Limits} is.
 */
final class Rates {

    private static final Buckets NONE = new Buckets(List.of());

    private final EngineSettings settings;
    private final EngineClock clock;
    private final ToIntFunction<String> led;
    private final Map<String, Bucket> ofHandlers = new HashMap<>();
    private final Map<String, Bucket> ofQueues = new HashMap<>();

    /** The buckets, by the queue whose leases decide about the share of their rate. */
    private final Map<String, List<Bucket>> byQueue = new HashMap<>();

    /** @param led number of partitions of a queue that this instance leads at the moment */
    Rates(HandlerRegistry handlers, EngineSettings settings, EngineClock clock, ToIntFunction<String> led) {
        this.settings = settings;
        this.clock = clock;
        this.led = led;
        // The buckets are made now, so that they fill from the first lease on, not from the first job on.
        handlers.all().forEach(handler -> of(handler, handler.queue()));
        settings.queues().named().forEach((queue, its) -> add(new ArrayList<>(1), ofQueues, queue, its.rate(), queue));
    }

    /** Returns the buckets that limit jobs of this handler in this queue. */
    Buckets of(Handler handler, String queue) {
        List<Bucket> buckets = new ArrayList<>(2);
        add(buckets, ofHandlers, handler.name(), handler.rateBy() == null ? handler.rate() : null, handler.queue());
        add(buckets, ofQueues, queue, settings.queue(queue).rate(), queue);
        return buckets.isEmpty() ? NONE : new Buckets(buckets);
    }

    private void add(
            List<Bucket> buckets, Map<String, Bucket> known, String name, @Nullable RateLimit limit, String dealer) {
        if (limit != null) {
            buckets.add(known.computeIfAbsent(name, unused -> newBucket(limit, dealer)));
        }
    }

    private Bucket newBucket(RateLimit limit, String dealer) {
        Bucket bucket = new Bucket(limit, share(dealer), clock.nanoTime());
        byQueue.computeIfAbsent(dealer, queue -> new ArrayList<>()).add(bucket);
        return bucket;
    }

    /** Tells whether nothing has a rate. */
    boolean isEmpty() {
        return byQueue.isEmpty();
    }

    /**
     * Adds the tokens since the last call, by the leases that are held now.
     *
     * @param storeMillis store time, read before the lock was taken
     */
    void refill(long storeMillis) {
        if (!isEmpty()) {
            long nowNanos = clock.nanoTime();
            byQueue.forEach((queue, buckets) -> {
                double share = share(queue);
                buckets.forEach(bucket -> bucket.refill(share, nowNanos, storeMillis));
            });
        }
    }

    private double share(String queue) {
        return (double) led.applyAsInt(queue) / settings.queues().partitions();
    }

    /** Takes out all free tokens. */
    void empty() {
        byQueue.values().forEach(buckets -> buckets.forEach(Bucket::empty));
    }
}
