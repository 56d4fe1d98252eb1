package io.delayjob.internal.key;

import io.delayjob.internal.lane.Gate;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.limit.KeyBucket;

/**
 * Represents a key that has its own rate, in one lane, under one lease. The lock of {@link Tickets} guards this object.
 */
final class KeyRate extends Gate {

    final KeyBucket bucket;
    private final KeyRates all;

    /** Number of tickets that have passed this gate and wait in the lane. */
    private int promised;

    /** Valid only while {@link #isScheduled}. */
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

    /** If the key is also the mutex, tickets would otherwise move back and forth between the two gates. */
    @Override
    protected void letInNextAfter(Ticket passed) {
        if (!(passed.waitsAt() instanceof Mutex && key.equals(passed.row().mutex()))) {
            super.letInNextAfter(passed);
        }
    }

    private void wantsTokens() {
        bucket.setWanted(isAwaited() || promised > 0);
    }

    void laneIsEmpty() {
        promised = 0;
        wantsTokens();
    }

    long untilNanos() {
        return bucket.untilNanos(promised);
    }

    boolean isIdle() {
        return !isAwaited() && promised == 0 && !bucket.hasReserved();
    }

    /** Does nothing, because gates with full buckets are removed later, many at a time. */
    @Override
    protected void forgetIfIdle() {}

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
