package io.delayjob.internal.dispatch;

import io.delayjob.internal.attempt.Attempts;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.preload.DueIntake;
import io.delayjob.time.EngineClock;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.List;

/**
 * Starts claimed jobs when they are due, by timers in the timing wheel. If rows could not be claimed, offers these rows
 * again. Thread-safe.
 */
public final class Later {

    /**
     * A claim skips a row that another transaction has locked. After this time, the row is offered to the claimers
     * again.
     */
    private static final long REOFFER_NANOS = Duration.ofMillis(50).toNanos();

    private final TimingWheel wheel;
    private final EngineClock clock;
    private final Lanes lanes;
    private final Attempts attempts;
    private final DueIntake waiting;

    /** {@link Long#MAX_VALUE} if there is no timer. */
    private long timerMillis = Long.MAX_VALUE;

    public Later(TimingWheel wheel, EngineClock clock, Lanes lanes, Attempts attempts, DueIntake waiting) {
        this.wheel = wheel;
        this.clock = clock;
        this.lanes = lanes;
        this.attempts = attempts;
        this.waiting = waiting;
    }

    void giveBack(List<Ticket> early) {
        early.forEach(ticket -> waiting.offer(List.of(ticket.row()), ticket.asOfNanos()));
    }

    void offerAgain(List<Ticket> passedOver) {
        if (!passedOver.isEmpty()) {
            wheel.scheduleAt(() -> lanes.intake().offerAgain(passedOver), clock.nanoTime() + REOFFER_NANOS);
        }
    }

    void start() {
        long nextMillis = lanes.comeDue();
        attempts.start(lanes.toStart());
        setTimer(nextMillis);
    }

    private synchronized void setTimer(long dueMillis) {
        if (dueMillis < timerMillis) {
            timerMillis = dueMillis;
            wheel.scheduleAt(() -> timerEnds(dueMillis), clock.nanoTimeAt(dueMillis));
        }
    }

    private void timerEnds(long dueMillis) {
        synchronized (this) {
            timerMillis = timerMillis == dueMillis ? Long.MAX_VALUE : timerMillis;
        }
        start();
        lanes.claims().releaseUnstarted();
    }
}
