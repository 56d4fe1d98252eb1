package io.delayjob.internal.limit;

import io.delayjob.handler.RateLimit;
import io.delayjob.job.Partition;
import io.delayjob.time.EngineClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the rate that each key of a handler has in one queue. The hash of a key selects a partition. The leader of
 * this partition has the whole rate of the key. So the rate of a key is not divided among the instances, and no
 * instance needs to ask another instance.
 *
 * <pre>
 *   key --hash--> partition --lease begins--> tokens since then, at most burst --lease ends--> nothing starts
 *                                 '-- plus the fraction of a token since the last whole one, counted from the epoch
 * </pre>
 *
 * <p>An attempt can start only under the lease under which its token was reserved. So the tokens of two leaders never
 * add up. Under one leader, at most {@code burst + rate * t + 1} attempts of a key start in any time t. If the leader
 * changes within that time, at most one more attempt may start, no matter how often the leader changes. The reason is
 * that a key gets its whole tokens at fixed times, no matter which instance leads. These times differ from key to key.
 *
 * <p>For an unknown key, the bucket is computed as if no attempt had started since the lease began. So a full bucket
 * may be removed from memory. If a bucket that is not full is {@linkplain #forget removed}, this object remembers when
 * that bucket was empty. From then on, the bucket of each unknown key is computed as if it, too, had been empty at that
 * time. The lock of the tickets guards this object.
 */
public final class KeyedRate {

    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * Number of different times at which keys get whole tokens. The number is a prime, so that the keys of one
     * partition are also spread over all of these times.
     */
    private static final int SHIFTS = 997;

    private final RateLimit limit;
    private final double rate;
    private final String queue;
    private final Leases leases;
    private final List<Partition> homes;
    private final EngineClock clock;
    private final Map<Partition, Begin> begins = new HashMap<>();

    /** The latest time at which one of the removed buckets was empty; {@code null} if no such bucket was removed. */
    private @Nullable Long forgottenNanos;

    private boolean hasLooked;
    private long seenMillis;
    private long seenNanos;

    /**
     * Contains a lease, and the time at which this instance has noticed it. If {@link #look} was not called before, the
     * store time is not a number (NaN).
     */
    private record Begin(long term, long nanos, double storeMillis) {}

    KeyedRate(RateLimit limit, String queue, Leases leases, EngineClock clock) {
        this.limit = limit;
        this.rate = limit.startsPerNano();
        this.queue = queue;
        this.leases = leases;
        this.homes = IntStream.range(0, leases.partitions())
                .mapToObj(index -> new Partition(queue, index))
                .toList();
        this.clock = clock;
    }

    /**
     * @param storeMillis store time; the caller must read it before it takes the lock of the tickets
     */
    void look(long storeMillis) {
        hasLooked = true;
        seenMillis = storeMillis;
        seenNanos = clock.nanoTime();
        homes.forEach(this::beginOf);
    }

    private Begin beginOf(Partition home) {
        long now = leases.termOf(home);
        Begin known = begins.get(home);
        if (known == null || known.term != now) {
            long nanos = clock.nanoTime();
            // This method must not ask the store for its time, because the caller holds the lock of the tickets.
            double millis = hasLooked ? seenMillis + (nanos - seenNanos) / NANOS_PER_MILLI : Double.NaN;
            known = new Begin(now, nanos, millis);
            begins.put(home, known);
        }
        return known;
    }

    /** Returns how many attempts of a key may start within that time, at least 1. */
    public int within(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, limit.burst() + rate * nanos));
    }

    /** Returns a new bucket for a key that has none. The bucket is valid for the time of the present lease. */
    public KeyBucket newBucket(String key) {
        Begin begin = beginOf(leases.homeOf(queue, key));
        long now = clock.nanoTime();
        double tokens = fractionAt(begin, key) + rate * (now - begin.nanos);
        if (forgottenNanos != null) {
            tokens = Math.min(tokens, rate * (now - forgottenNanos));
        }
        return new KeyBucket(Bucket.ofWholeRate(limit, tokens, now), clock, isHeld(key, begin.term));
    }

    private BooleanSupplier isHeld(String key, long ofTerm) {
        Partition home = leases.homeOf(queue, key);
        // A lease that was not trusted for a while counts as another one, so that a new bucket cannot have tokens from
        // before.
        return () -> ofTerm != 0 && beginOf(home).term == ofTerm;
    }

    private double fractionAt(Begin begin, String key) {
        double shift = Math.floorMod(key.hashCode(), SHIFTS) / (double) SHIFTS;
        double sinceEpoch = rate * NANOS_PER_MILLI * begin.storeMillis + shift;
        return Double.isNaN(sinceEpoch) ? 0 : sinceEpoch - Math.floor(sinceEpoch);
    }

    /** Removes a bucket from memory, whether it is full or not. */
    public void forget(KeyBucket bucket) {
        long emptyNanos = bucket.emptyAtNanos();
        if (!bucket.isFull() && (forgottenNanos == null || emptyNanos - forgottenNanos > 0)) {
            forgottenNanos = emptyNanos;
        }
    }
}
