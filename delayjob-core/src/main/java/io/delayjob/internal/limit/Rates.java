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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Contains the rates of handlers and queues. A handler has one bucket for its jobs in all queues. The leases on the
 * handler's own queue decide which share of the rate this instance has. The lock of the tickets guards this object.
 */
final class Rates {

    private final EngineSettings settings;
    private final EngineClock clock;
    private final Leases leases;
    private final Map<String, Bucket> ofHandlers = new HashMap<>();
    private final Map<String, Bucket> ofQueues = new HashMap<>();

    /** The buckets by queue name. The leases on the queue decide this instance's share of the rate. */
    private final Map<String, List<Bucket>> byQueue = new HashMap<>();

    private final Map<String, Map<String, KeyedRate>> keyed = new HashMap<>();

    private boolean hasLooked;
    private long seenMillis;
    private long seenNanos;

    Rates(HandlerRegistry handlers, EngineSettings settings, EngineClock clock, Leases leases) {
        this.settings = settings;
        this.clock = clock;
        this.leases = leases;
        // All rates are created at the start, so that they count from the first lease on, not from the first job.
        for (Handler handler : handlers.all()) {
            of(handler, handler.queue());
            keyed(handler, handler.queue());
        }
        settings.queues().named().forEach((queue, its) -> add(new ArrayList<>(1), ofQueues, queue, its.rate(), queue));
    }

    List<Bucket> of(Handler handler, String queue) {
        List<Bucket> buckets = new ArrayList<>(2);
        add(buckets, ofHandlers, handler.name(), handler.rateBy() == null ? handler.rate() : null, handler.queue());
        add(buckets, ofQueues, queue, settings.queue(queue).rate(), queue);
        return buckets;
    }

    private void add(
            List<Bucket> buckets, Map<String, Bucket> known, String name, @Nullable RateLimit limit, String dealer) {
        if (limit != null) {
            buckets.add(known.computeIfAbsent(name, unused -> newBucket(limit, dealer)));
        }
    }

    private Bucket newBucket(RateLimit limit, String dealer) {
        Bucket bucket = new Bucket(limit, leases.shareOf(dealer), clock.nanoTime());
        byQueue.computeIfAbsent(dealer, queue -> new ArrayList<>()).add(bucket);
        return bucket;
    }

    @Nullable
    KeyedRate keyed(Handler handler, String queue) {
        RateLimit limit = handler.rateBy() == null ? null : handler.rate();
        return limit == null
                ? null
                : keyed.computeIfAbsent(handler.name(), unused -> new HashMap<>())
                        .computeIfAbsent(queue, unused -> newKeyedRate(limit, queue));
    }

    private KeyedRate newKeyedRate(RateLimit limit, String queue) {
        KeyedRate rate = new KeyedRate(limit, queue, leases, clock);
        if (hasLooked) {
            rate.look(seenMillis + TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - seenNanos));
        }
        return rate;
    }

    /** If this instance leads such a queue again, its keys have only the tokens since then. */
    void forget(Set<String> unusedQueues) {
        keyed.values().forEach(ofHandler -> ofHandler.keySet().removeAll(unusedQueues));
    }

    /** @param storeMillis store time that was read before the lock was taken */
    void follow(long storeMillis) {
        hasLooked = true;
        seenMillis = storeMillis;
        seenNanos = clock.nanoTime();
        byQueue.forEach((queue, buckets) -> {
            double share = leases.shareOf(queue);
            buckets.forEach(bucket -> bucket.refill(share, seenNanos, storeMillis));
        });
        keyed.values().forEach(ofHandler -> ofHandler.values().forEach(rate -> rate.look(storeMillis)));
    }

    void empty() {
        byQueue.values().forEach(buckets -> buckets.forEach(Bucket::empty));
    }
}
