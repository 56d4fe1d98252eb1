package io.delayjob.internal.limit;

import io.delayjob.time.EngineClock;
import java.util.function.BooleanSupplier;

/**
 * Represents the token bucket of one key, under one lease. As with any {@link Bucket}, a claim reserves a token, and
 * the start of the attempt takes it. While jobs of the key wait or are being claimed, the bucket has room for one token
 * more than the burst. Without this room, a bucket with a small burst would be full during a claim, and would lose the
 * tokens that come in that time. The lock of the tickets guards this object.
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

    /**
     * Tells whether this instance still has the lease under which the bucket was made. Without this lease, no attempt
     * may start.
     */
    public boolean isLed() {
        return isLed.getAsBoolean();
    }

    /** Returns how many more rows may be claimed; zero or less if no row may be claimed. */
    public int free() {
        refill();
        return bucket.free();
    }

    /** Sets whether jobs of the key are waiting. */
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
     * Returns the nanoseconds until there are enough free tokens for a claim.
     *
     * @param promised number of free tokens that do not count, because they are promised to other tickets
     */
    public long untilNanos(int promised) {
        refill();
        return bucket.untilNanos(promised);
    }

    /** Tells whether a token is reserved. */
    public boolean hasReserved() {
        return bucket.hasReserved();
    }

    /**
     * Tells whether this bucket is full. A full bucket may be removed from memory, because a new bucket of the key has
     * at most as many tokens.
     */
    public boolean isFull() {
        refill();
        return bucket.isFull();
    }

    /** Returns the time at which the bucket was empty, if no attempt has started since then. */
    public long emptyAtNanos() {
        refill();
        return bucket.emptyAtNanos();
    }
}
