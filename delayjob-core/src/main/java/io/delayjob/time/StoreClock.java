package io.delayjob.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Estimates store time from readings of the store's clock and from the monotonic clock.
 *
 * <p>The store reads its clock, and then sends its reply. So when the reply arrives, the store's clock already shows
 * the time that was read, or a <em>later</em> time. Therefore <code>storeMicros - replyTime</code> is a lower bound of
 * the offset between the store's clock and the monotonic clock. This class uses the highest of the recent lower bounds.
 * Older bounds expire, because clocks drift.
 *
 * <p>The store reads its clock after the request was sent. Therefore <code>storeMicros - requestTime</code>, plus one
 * microsecond for the rounding, is an upper bound of the offset. This class uses the lowest of the recent upper bounds.
 * This bound gives the {@linkplain #latestStoreTime() latest possible store time}. Delays are counted from this time.
 *
 * <pre>
 *      request                 reply
 *         |----------x-----------|          the store reads its clock at x; at the reply it shows that, or more
 *         '--- round trip -------'          error of the bound: at most this
 * </pre>
 *
 * <p>If somebody changed the time of the store's clock, or if the machine slept, a new reading contradicts the
 * estimate. Such a reading replaces the estimate at once, and a new {@linkplain #epoch() epoch} begins. No other class
 * of delayjob reads a clock of the machine. Thread-safe.
 */
public final class StoreClock implements EngineClock {

    private final LongSupplier storeMicros;
    private final LongSupplier monotonicNanos;
    private final LongSupplier wallMillis;
    private final Object lock = new Object();
    private volatile @Nullable StoreTimeEstimate estimate;

    /** @param storeMicros reads the store's clock, in microseconds since the epoch */
    public StoreClock(LongSupplier storeMicros) {
        this(storeMicros, System::currentTimeMillis);
    }

    /**
     * @param storeMicros reads the store's clock, in microseconds since the epoch
     * @param wallMillis the machine's wall clock, in milliseconds since the epoch; never used as store time
     */
    public StoreClock(LongSupplier storeMicros, LongSupplier wallMillis) {
        this(storeMicros, wallMillis, System::nanoTime);
    }

    /**
     * @param storeMicros reads the store's clock, in microseconds since the epoch
     * @param wallMillis the machine's wall clock, in milliseconds since the epoch
     * @param monotonicNanos the machine's monotonic clock, in nanoseconds
     */
    public StoreClock(LongSupplier storeMicros, LongSupplier wallMillis, LongSupplier monotonicNanos) {
        this.storeMicros = storeMicros;
        this.monotonicNanos = monotonicNanos;
        this.wallMillis = wallMillis;
    }

    /** Returns a clock for stores that have no clock. Store time is then the time of this machine's wall clock. */
    public static StoreClock ofThisMachine() {
        return new StoreClock(StoreClock::wallMicros);
    }

    /** Returns this machine's wall clock in microseconds since the epoch. */
    public static long wallMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public long storeMillis() {
        return current().storeMillis(nanoTime());
    }

    @Override
    public Duration skew() {
        return Duration.ofMillis(storeMillis() - wallMillis.getAsLong());
    }

    @Override
    public Instant latestStoreTime() {
        return Instant.ofEpochMilli(current().latestStoreMillis(nanoTime()));
    }

    @Override
    public long nanoTime() {
        return monotonicNanos.getAsLong();
    }

    @Override
    public long nanoTimeAt(long storeMillis) {
        return current().nanoTimeAt(storeMillis, nanoTime());
    }

    @Override
    public int epoch() {
        StoreTimeEstimate now = estimate;
        return now == null ? 0 : now.epoch();
    }

    @Override
    public boolean isSteady() {
        return current().isSteady(nanoTime(), wallMillis.getAsLong());
    }

    @Override
    public void observe(StoreTimeSample sample) {
        synchronized (lock) {
            estimate = StoreTimeEstimate.after(estimate, sample, wallMillis.getAsLong());
        }
    }

    private StoreTimeEstimate current() {
        StoreTimeEstimate now = estimate;
        return now == null ? ask() : now;
    }

    /**
     * Several threads may read the store's clock at the same time. Only the reading that arrives first is kept, because
     * a reading that arrives later may be older.
     */
    private StoreTimeEstimate ask() {
        long request = nanoTime();
        long micros = storeMicros.getAsLong();
        StoreTimeSample sample = new StoreTimeSample(request, nanoTime(), micros);
        synchronized (lock) {
            StoreTimeEstimate heard = estimate;
            if (heard == null) {
                heard = StoreTimeEstimate.after(null, sample, wallMillis.getAsLong());
                estimate = heard;
            }
            return heard;
        }
    }
}
