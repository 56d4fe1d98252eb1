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
 * The rate that each key of a handler has in one queue. The hash of a key names a partition, and the leader of this
 * partition has the whole rate of the key. So a rate is not dealt out, and no instance asks another one.
 *
 * <pre>
 *   key --hash--> partition --lease begins--> tokens since then, at most burst --lease ends--> nothing starts
 *                                 '-- plus the fraction of a token since the last whole one, counted from the epoch
 * </pre>
 *
 * <p>A start needs the lease under which its token was reserved. So tokens of two leaders never add up, and in any time
 * t at most {@code burst + rate * t + 1} attempts of a key start. If leaders change within that time, however often, at
 * most one more starts, because whole tokens come at fixed times. These times differ between keys.
 *
 * <p>A key that is not known has the bucket of a key for which nothing has started since the lease began. So a full
 * bucket may be forgotten. If another bucket is {@linkplain #forget forgotten}, all unknown keys count as empty at the
 * time at which that bucket was empty. Guarded as {@link Limits} is.
 */
public final class KeyedRate {

    private static final double NANOS_PER_MILLI = 1e6;

    /** Number of different times at which keys get whole tokens. This prime has nothing to do with partitions. */
    private static final int SHIFTS = 997;

    private final RateLimit limit;
    private final double rate;
    private final String queue;
    private final Leases leases;
    private final List<Partition> homes;
    private final EngineClock clock;
    private final Map<Partition, Begin> begins = new HashMap<>();

    /** The time at which the latest of the forgotten buckets was empty; {@code null} if none was forgotten. */
    private @Nullable Long forgottenNanos;

    private boolean hasLooked;
    private long seenMillis;
    private long seenNanos;

    /** A lease, and the time at which this instance has noticed it. Without a look, store time is not a number. */
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
     * Notes which leases have begun.
     *
     * @param storeMillis store time, read before the lock was taken
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
            // The store must not be asked for its time here, because the lock of the tickets is held.
            double millis = hasLooked ? seenMillis + (nanos - seenNanos) / NANOS_PER_MILLI : Double.NaN;
            known = new Begin(now, nanos, millis);
            begins.put(home, known);
        }
        return known;
    }

    /** Returns the number of starts of a key in that time, and at least 1. */
    public int within(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, limit.burst() + rate * nanos));
    }

    /** Returns the bucket of a key that is not known, under the present lease. */
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
        // A lapse is noted, even if the same lease is trusted again: this bucket may be forgotten meanwhile, and a new
        // one must not have tokens from before.
        return () -> ofTerm != 0 && beginOf(home).term == ofTerm;
    }

    /** Returns the fraction of a token since the last whole one. Not all keys get whole tokens at the same times. */
    private double fractionAt(Begin begin, String key) {
        double shift = Math.floorMod(key.hashCode(), SHIFTS) / (double) SHIFTS;
        double sinceEpoch = rate * NANOS_PER_MILLI * begin.storeMillis + shift;
        return Double.isNaN(sinceEpoch) ? 0 : sinceEpoch - Math.floor(sinceEpoch);
    }

    /** Forgets a bucket, full or not. */
    public void forget(KeyBucket bucket) {
        long emptyNanos = bucket.emptyAtNanos();
        if (!bucket.isFull() && (forgottenNanos == null || emptyNanos - forgottenNanos > 0)) {
            forgottenNanos = emptyNanos;
        }
    }
}
