package io.delayjob.time;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Store time, estimated from readings of the store's clock and carried on by the monotonic clock.
 *
 * <p>A reading taken at some moment before its reply says of that reply: the store's clock shows <em>at least</em> this.
 * So <code>storeMicros - replyTime</code> is a lower bound of the offset between both clocks, and the tighter the quicker
 * the answer came. The quickest of recent readings is used; older ones retire, because clocks drift.
 *
 * <pre>
 *      request                 reply
 *         |----------x-----------|          the store reads its clock at x; at the reply it shows that, or more
 *         '--- round trip -------'          error of the bound: at most this
 * </pre>
 *
 * <p>A reading that the present estimate cannot explain (the store's clock was set, the machine slept) replaces it at once
 * and opens a new {@linkplain #epoch() epoch}. This is the one class of delayjob that reads a clock of the machine.
 * Thread-safe.
 */
public final class StoreClock implements EngineClock {

    /** A reading further off than this, beyond its own error, means that a clock was set or a machine slept. */
    private static final long JUMP_NANOS = 250_000_000;

    /** After this long a slow but fresh reading is worth more than a quick old one: quartz drifts by 20-100 us a second. */
    private static final long BEST_SAMPLE_TTL_NANOS = 60_000_000_000L;

    /** Wall and monotonic clock part by this much only when the machine slept or its wall clock was set. */
    private static final long PARTED_MILLIS = 1_000;

    private final LongSupplier storeMicros;
    private final Object lock = new Object();
    private volatile @Nullable Estimate estimate;

    /**
     * @param storeMicros reads the store's clock, in microseconds since the epoch; called once, when store time is first
     *     asked for before any {@linkplain #observe reading} was handed in
     */
    public StoreClock(LongSupplier storeMicros) {
        this.storeMicros = storeMicros;
    }

    /** A clock for stores without a clock of their own: this machine's wall clock is store time. */
    public static StoreClock ofThisMachine() {
        return new StoreClock(StoreClock::wallMicros);
    }

    /** This machine's wall clock in microseconds since the epoch. */
    public static long wallMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public long storeMillis() {
        return Math.floorDiv(current().offsetNanos + nanoTime(), 1_000_000L);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long nanoTimeAt(long millis) {
        long now = nanoTime();
        long untilMillis = millis - Math.floorDiv(current().offsetNanos + now, 1_000_000L);
        if (Math.abs(untilMillis) > Long.MAX_VALUE / 4_000_000L) {
            return now + Long.signum(untilMillis) * (Long.MAX_VALUE / 4);
        }
        return millis * 1_000_000L - current().offsetNanos;
    }

    @Override
    public int epoch() {
        Estimate now = estimate;
        return now == null ? 0 : now.epoch;
    }

    @Override
    public boolean isSteady() {
        Estimate now = current();
        long byWall = System.currentTimeMillis() - now.wallMillis;
        long byMonotonic = (nanoTime() - now.observedNanos) / 1_000_000L;
        // A wall clock set back says nothing about a pause; one that ran ahead looks exactly like a machine that slept.
        return byWall - byMonotonic < PARTED_MILLIS;
    }

    @Override
    public void observe(StoreTimeSample sample) {
        synchronized (lock) {
            estimate = Estimate.after(estimate, sample, System.currentTimeMillis());
        }
    }

    private Estimate current() {
        Estimate now = estimate;
        if (now != null) {
            return now;
        }
        long request = nanoTime();
        long micros = storeMicros.getAsLong();
        observe(new StoreTimeSample(request, nanoTime(), micros));
        return current();
    }

    private record Estimate(
            long offsetNanos, long roundTripNanos, long bestNanos, long observedNanos, long wallMillis, int epoch) {

        static Estimate after(@Nullable Estimate before, StoreTimeSample sample, long wallMillis) {
            long offset = sample.storeMicros() * 1_000L - sample.replyNanos();
            Estimate fresh = new Estimate(
                    offset,
                    sample.roundTripNanos(),
                    sample.replyNanos(),
                    sample.replyNanos(),
                    wallMillis,
                    before == null ? 0 : before.epoch);
            if (before == null) {
                return fresh;
            }
            boolean behind = offset + sample.roundTripNanos() + JUMP_NANOS < before.offsetNanos;
            boolean ahead = offset > before.offsetNanos + before.roundTripNanos + JUMP_NANOS;
            if (behind || ahead) {
                return fresh.withEpoch(before.epoch + 1);
            }
            boolean retired = sample.replyNanos() - before.bestNanos > BEST_SAMPLE_TTL_NANOS;
            boolean tighter = sample.roundTripNanos() <= before.roundTripNanos;
            // Both are lower bounds unless the clocks drift apart: a bound above the store's own reading is refuted.
            boolean refuted = before.offsetNanos > offset + sample.roundTripNanos();
            return retired || tighter || refuted ? fresh : before.seenAt(sample.replyNanos(), wallMillis);
        }

        Estimate withEpoch(int next) {
            return new Estimate(offsetNanos, roundTripNanos, bestNanos, observedNanos, wallMillis, next);
        }

        Estimate seenAt(long nanos, long wall) {
            return new Estimate(offsetNanos, roundTripNanos, bestNanos, nanos, wall, epoch);
        }
    }
}
