package io.delayjob.internal.dispatch;

import io.delayjob.time.EngineClock;
import io.delayjob.wheel.TimingWheel;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/**
 * Jobs that were claimed ahead of their time, in the wheel: when it comes, nothing lies between wheel and worker.
 * {@link Lanes} keeps them meanwhile, and gives them back with all else that was claimed; a timer that then finds
 * nothing does nothing. Thread-safe.
 */
public final class ComingJobs {

    private final TimingWheel wheel;
    private final EngineClock clock;
    private final ClaimLead lead;
    private final Lanes lanes;
    private final Attempts attempts;

    public ComingJobs(TimingWheel wheel, EngineClock clock, ClaimLead lead, Lanes lanes, Attempts attempts) {
        this.wheel = wheel;
        this.clock = clock;
        this.lead = lead;
        this.lanes = lanes;
        this.attempts = attempts;
    }

    /** Starts these when their time comes. */
    void await(List<Ticket> coming) {
        coming.stream()
                .collect(Collectors.groupingBy(ticket -> ticket.job().dueAt().toEpochMilli()))
                .forEach(this::await);
    }

    private void await(long dueMillis, List<Ticket> coming) {
        try {
            wheel.scheduleAt(() -> startOrWait(dueMillis, coming), clock.nanoTimeAt(dueMillis));
        } catch (RejectedExecutionException stopped) {
            // Whoever stops the engine releases what it has claimed.
            lanes.giveBackComing(coming);
        }
    }

    private void startOrWait(long dueMillis, List<Ticket> coming) {
        long earlyMillis = dueMillis - clock.storeMillis();
        if (earlyMillis <= 0) {
            lanes.comeDue(coming);
            attempts.start(lanes.toStart());
        } else if (earlyMillis <= lead.longestMillis()) {
            // The estimate of store time was lowered.
            await(dueMillis, coming);
        } else {
            // The store's clock was set back: it is not for a claim to last until then.
            lanes.giveBackComing(coming);
        }
    }
}
