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
 * Computes the rate of each key of a handler in one queue. One leader grants all starts of a key, so it need not ask
 * other instances.
 *
 * <pre>
 *   key --hash--> partition --lease begins--> tokens since then, at most burst --lease ends--> nothing starts
 *                                 '-- plus the fraction of a token since the last whole one, counted from the epoch
 * </pre>
 *
 * <p>An attempt can start only under the lease under which its token was reserved. So a key never has the tokens of two
 * leaders at the same time. Under one leader, at most {@code burst + rate * t + 1} attempts of a key start in any time
 * t. All changes of the leader together add at most one attempt, because a key gets its whole tokens at fixed times.
 *
 * <p>A full bucket may be removed from memory. A bucket that is not full can also be {@linkplain #forget removed}.
 * After that, a key without a bucket gets no more tokens than the removed bucket would have. The lock of the tickets
 * guards this object.
 */
public final class KeyedRate {

    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * Different keys get their whole tokens at different times. This is the number of these times. The number is a
     * prime, so that the keys of one partition are spread over all these times.
     */
    private static final int SHIFTS = 997;

    private final RateLimit limit;
    private final double rate;
    private final String queue;
    private final Leases leases;
    private final List<Partition> homes;
    private final EngineClock clock;
    private final Map<Partition, Begin> begins = new HashMap<>();

    /** The latest time at which a removed bucket was empty; {@code null} if only full buckets were removed. */
    private @Nullable Long forgottenNanos;

    private boolean hasLooked;
    private long seenMillis;
    private long seenNanos;

    /** Until {@link #look} is called, the store time is NaN. */
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

    /** @param storeMillis store time that was read before the lock was taken */
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
            // The caller holds the lock of the tickets, so the store must not be asked for its time.
            double millis = hasLooked ? seenMillis + (nanos - seenNanos) / NANOS_PER_MILLI : Double.NaN;
            known = new Begin(now, nanos, millis);
            begins.put(home, known);
        }
        return known;
    }

    public int within(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, limit.burst() + rate * nanos));
    }

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
        // A lease that was not trusted for a while counts as another one. So a new bucket has no tokens from before.
        return () -> ofTerm != 0 && beginOf(home).term == ofTerm;
    }

    private double fractionAt(Begin begin, String key) {
        double shift = Math.floorMod(key.hashCode(), SHIFTS) / (double) SHIFTS;
        double sinceEpoch = rate * NANOS_PER_MILLI * begin.storeMillis + shift;
        return Double.isNaN(sinceEpoch) ? 0 : sinceEpoch - Math.floor(sinceEpoch);
    }

    public void forget(KeyBucket bucket) {
        long emptyNanos = bucket.emptyAtNanos();
        if (!bucket.isFull() && (forgottenNanos == null || emptyNanos - forgottenNanos > 0)) {
            forgottenNanos = emptyNanos;
        }
    }
}
