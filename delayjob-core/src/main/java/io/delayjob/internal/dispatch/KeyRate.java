package io.delayjob.internal.dispatch;

import io.delayjob.internal.limit.KeyBucket;

/**
 * A key that has a rate of its own, in one lane, under one lease. Guarded by the lock of {@link Lanes}.
 */
final class KeyRate extends Gate {

    final KeyBucket bucket;
    private final KeyRates all;

    /** Number of tickets that wait in the lane, each for one of the free tokens. */
    private int promised;

    /** The time at which more tokens are free for waiting tickets; only if it {@link #isScheduled}. */
    long readyNanos;

    boolean isScheduled;

    KeyRate(Lanes lanes, String key, KeyBucket bucket, KeyRates all) {
        super(lanes, key);
        this.bucket = bucket;
        this.all = all;
    }

    @Override
    int passes() {
        return bucket.free() - promised;
    }

    /** Tells whether a ticket may enter the lane without waiting here. */
    boolean isOpen() {
        return !isAwaited() && passes() > 0;
    }

    @Override
    int worthKeeping() {
        return all.worthKeeping();
    }

    @Override
    void waitingChanged() {
        bucket.setWanted(isAwaited() || promised > 0);
        if (isAwaited()) {
            all.schedule(this);
        }
    }

    @Override
    void lets(Ticket in) {
        super.lets(in);
        promised++;
        bucket.setWanted(true);
    }

    @Override
    void comes(Ticket in) {
        promised--;
        bucket.setWanted(isAwaited() || promised > 0);
    }

    /** Notes that no ticket waits in the lane any more. */
    void laneIsEmpty() {
        promised = 0;
        bucket.setWanted(isAwaited());
    }

    /** Returns the nanoseconds until more tokens are free for waiting tickets. */
    long untilNanos() {
        return bucket.untilNanos(promised);
    }

    /** Tells whether it may be forgotten, because no ticket waits or is being claimed. */
    boolean isIdle() {
        return !isAwaited() && promised == 0 && !bucket.hasReserved();
    }

    /** A full bucket is forgotten later, with others. */
    @Override
    void forgetIfIdle() {}

    /** Reserves a token for a ticket. */
    void take(Ticket ticket) {
        bucket.reserve();
        ticket.rate = this;
    }

    /** Takes the token of a ticket that starts. */
    void start(Ticket ticket) {
        ticket.rate = null;
        bucket.start();
    }

    /** Frees the token of a ticket that does not start. */
    void free(Ticket ticket) {
        ticket.rate = null;
        bucket.leave();
        letIn();
    }
}
