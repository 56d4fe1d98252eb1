package io.delayjob.internal.dispatch;

import io.delayjob.internal.attempt.Attempts;
import io.delayjob.internal.preload.DueIntake;
import io.delayjob.time.EngineClock;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/**
 * Puts timers of dispatch into the wheel. A job that was claimed ahead starts at its time. Its timer in the wheel hands
 * it straight to a worker. A row that a claim has passed over is offered once more. A row that is not yet due goes
 * back. {@link Lanes} keeps claimed jobs until then, and may give them back. The timer of such a job then does nothing.
 * Thread-safe.
 */
public final class Later {

    /**
     * Time after which a row is offered once more. A claim has skipped this row because another transaction had locked
     * it.
     */
    private static final long REOFFER_NANOS = Duration.ofMillis(50).toNanos();

    private final TimingWheel wheel;
    private final EngineClock clock;
    private final ClaimLead lead;
    private final Lanes lanes;
    private final Attempts attempts;
    private final DueIntake waiting;

    /** @param waiting takes back rows that turn out not to be due yet */
    public Later(
            TimingWheel wheel, EngineClock clock, ClaimLead lead, Lanes lanes, Attempts attempts, DueIntake waiting) {
        this.wheel = wheel;
        this.clock = clock;
        this.lead = lead;
        this.lanes = lanes;
        this.attempts = attempts;
        this.waiting = waiting;
    }

    /** Returns these rows to the wheel, because they are not due yet. */
    void giveBack(List<Ticket> early) {
        early.forEach(ticket -> waiting.offer(List.of(ticket.row()), ticket.asOfNanos()));
    }

    /** Offers these rows once more. */
    void offerAgain(List<Ticket> passedOver) {
        if (!passedOver.isEmpty()) {
            schedule(() -> lanes.intake().offerAgain(passedOver), clock.nanoTime() + REOFFER_NANOS, () -> {});
        }
    }

    /** Starts these jobs when their time comes. */
    void start(List<Ticket> coming) {
        coming.stream()
                .collect(Collectors.groupingBy(ticket -> ticket.job().dueAt().toEpochMilli()))
                .forEach(this::startAt);
    }

    private void startAt(long dueMillis, List<Ticket> coming) {
        schedule(
                () -> startOrWait(dueMillis, coming),
                clock.nanoTimeAt(dueMillis),
                () -> lanes.claims().giveBackComing(coming));
    }

    private void startOrWait(long dueMillis, List<Ticket> coming) {
        long earlyMillis = dueMillis - clock.storeMillis();
        if (earlyMillis <= 0) {
            lanes.claims().comeDue(coming);
            attempts.start(lanes.toStart());
        } else if (earlyMillis <= lead.longestMillis()) {
            // The estimate of store time was lowered.
            startAt(dueMillis, coming);
        } else {
            // The store's clock was set back. A claim must not be held until its due time is reached again.
            lanes.claims().giveBackComing(coming);
        }
    }

    private void schedule(Runnable task, long atNanos, Runnable orElse) {
        try {
            wheel.scheduleAt(task, atNanos);
        } catch (RejectedExecutionException stopped) {
            orElse.run();
        }
    }
}
