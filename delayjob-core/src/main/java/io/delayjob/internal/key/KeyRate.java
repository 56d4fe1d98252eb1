package io.delayjob.internal.key;

import io.delayjob.internal.lane.Gate;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.limit.KeyBucket;

/**
 * A key that has a rate of its own, in one lane, under one lease. Guarded by the lock of {@link Tickets}.
 */
final class KeyRate extends Gate {

    final KeyBucket bucket;
    private final KeyRates all;

    /** Number of tickets that wait in the lane, each for one of the free tokens. */
    private int promised;

    /** The time at which more tokens are free for waiting tickets; only if it {@link #isScheduled}. */
    long readyNanos;

    boolean isScheduled;

    KeyRate(Tickets tickets, String key, KeyBucket bucket, KeyRates all) {
        super(tickets, key);
        this.bucket = bucket;
        this.all = all;
    }

    String key() {
        return key;
    }

    /** Tells whether this is the gate of that key, under the present lease. */
    boolean isOf(String other) {
        return key.equals(other) && isStillLed();
    }

    @Override
    protected boolean isStillLed() {
        return bucket.isLed();
    }

    @Override
    protected int passes() {
        return bucket.free() - promised;
    }

    /** Tells whether a ticket may enter the lane without waiting here. */
    boolean isOpen() {
        return !isAwaited() && passes() > 0;
    }

    boolean hasToken() {
        return bucket.free() > 0;
    }

    @Override
    protected int worthKeeping() {
        return all.worthKeeping();
    }

    @Override
    protected void waitingChanged() {
        wantsTokens();
        if (isAwaited()) {
            all.schedule(this);
        }
    }

    @Override
    protected void lets(Ticket in) {
        super.lets(in);
        promised++;
        wantsTokens();
    }

    @Override
    protected void comes() {
        promised--;
        wantsTokens();
    }

    private void wantsTokens() {
        bucket.setWanted(isAwaited() || promised > 0);
    }

    /** Notes that no ticket waits in the lane any more. */
    void laneIsEmpty() {
        promised = 0;
        wantsTokens();
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
    protected void forgetIfIdle() {}

    /** Reserves a token for a ticket. */
    void take(Ticket ticket) {
        bucket.reserve();
        ticket.reservesTokenOf(this);
    }

    @Override
    protected void start() {
        bucket.start();
    }

    @Override
    protected void free() {
        bucket.leave();
        letIn();
    }
}
