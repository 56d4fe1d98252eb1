package io.delayjob.internal.limit;

import io.delayjob.time.EngineClock;
import java.util.function.BooleanSupplier;

/**
 * Represents the token bucket of one key, under one lease. During a claim, the bucket can contain one more token than
 * at other times. Without this room, a small bucket would be full, and would lose new tokens. The lock of the tickets
 * guards this object.
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

    public boolean isLed() {
        return isLed.getAsBoolean();
    }

    public int free() {
        refill();
        return bucket.free();
    }

    public void setWanted(boolean wanted) {
        refill();
        this.wanted = wanted;
        fit();
    }

    public void reserve() {
        refill();
        bucket.reserve();
        fit();
    }

    public void start() {
        refill();
        bucket.start();
        fit();
    }

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

    /** @param promised number of free tokens that are promised to other tickets */
    public long untilNanos(int promised) {
        refill();
        return bucket.untilNanos(promised);
    }

    public boolean hasReserved() {
        return bucket.hasReserved();
    }

    /** A full bucket may be removed from memory, because a new bucket has at most as many tokens. */
    public boolean isFull() {
        refill();
        return bucket.isFull();
    }

    public long emptyAtNanos() {
        refill();
        return bucket.emptyAtNanos();
    }
}
