package io.delayjob.dispatch;

import io.delayjob.job.Job;
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
    void await(List<Job> jobs) {
        jobs.stream()
                .collect(Collectors.groupingBy(job -> job.dueAt().toEpochMilli()))
                .forEach(this::await);
    }

    private void await(long dueMillis, List<Job> jobs) {
        try {
            wheel.scheduleAt(() -> startOrWait(dueMillis, jobs), clock.nanoTimeAt(dueMillis));
        } catch (RejectedExecutionException stopped) {
            // Whoever stops the engine releases what it has claimed.
            lanes.giveBackComing(jobs);
        }
    }

    private void startOrWait(long dueMillis, List<Job> jobs) {
        long earlyMillis = dueMillis - clock.storeMillis();
        if (earlyMillis <= 0) {
            lanes.comeDue(jobs);
            attempts.start(lanes.toStart());
        } else if (earlyMillis <= lead.longestMillis()) {
            // The estimate of store time was lowered.
            await(dueMillis, jobs);
        } else {
            // The store's clock was set back: it is not for a claim to last until then.
            lanes.giveBackComing(jobs);
        }
    }
}
