package io.delayjob.internal.limit;

import io.delayjob.time.EngineClock;
import java.util.function.BooleanSupplier;

/**
 * The token bucket of one key, under one lease. A claim reserves a token, and the start takes it, as from any {@link
 * Bucket}. While jobs of the key wait or are being claimed, there is room for one token beyond the burst. So a rate with
 * a small burst loses nothing while a claim is under way. Guarded as {@link Limits} is.
 */
public final class KeyBucket {

    private final Bucket bucket;
    private final EngineClock clock;
    private final BooleanSupplier isLed;
    private boolean wanted;

    KeyBucket(Bucket bucket, EngineClock clock, BooleanSupplier isLed) {
        this.bucket = bucket;
        this.clock = clock;
        this.isLed = isLed;
    }

    /** Tells whether this instance has still the lease under which this bucket was made. Otherwise nothing may start. */
    public boolean isLed() {
        return isLed.getAsBoolean();
    }

    /** Returns how many more rows may be claimed; zero or less if none. */
    public int free() {
        refill();
        return bucket.free();
    }

    /** Sets whether jobs of the key wait. */
    public void setWanted(boolean wanted) {
        refill();
        this.wanted = wanted;
        fit();
    }

    /** Reserves a token for the claim of a row. */
    public void reserve() {
        refill();
        bucket.reserve();
        fit();
    }

    /** Takes the reserved token, because the attempt starts. */
    public void start() {
        refill();
        bucket.start();
        fit();
    }

    /** Frees the reserved token, because no attempt starts. */
    public void leave() {
        refill();
        bucket.leave();
        fit();
    }

    private void refill() {
        bucket.refill(1, clock.nanoTime(), 0);
    }

    private void fit() {
        bucket.setExtra(wanted || bucket.hasReserved() ? 1 : 0);
    }

    /**
     * Returns the nanoseconds until enough tokens are free for a claim.
     *
     * @param promised number of free tokens that do not count
     */
    public long untilNanos(int promised) {
        refill();
        return bucket.untilNanos(promised);
    }

    /** Tells whether a token is reserved. */
    public boolean hasReserved() {
        return bucket.hasReserved();
    }

    /** Tells whether nothing is lost if this bucket is forgotten. */
    public boolean isFull() {
        refill();
        return bucket.isFull();
    }

    /** Returns the time at which the bucket was empty, if nothing has started since then. */
    public long emptyAtNanos() {
        refill();
        return bucket.emptyAtNanos();
    }
}
