package io.delayjob.internal.complete;

import io.delayjob.job.JobId;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lowers {@code inDoubt} of a job when an attempt that was lost or timed out has ended after all. Only one agent thread
 * uses this object.
 */
final class LateEnds {

    /**
     * Pause before skipped jobs are tried again. The pause may be long, because nothing waits until {@code inDoubt} is
     * lowered.
     */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final JobTransitions store;
    private final EngineClock clock;
    private final List<JobId> added = new ArrayList<>();
    private final List<JobId> locked = new ArrayList<>();
    private long retryNanos;

    LateEnds(JobTransitions store, EngineClock clock) {
        this.store = store;
        this.clock = clock;
    }

    void add(JobId job) {
        added.add(job);
    }

    /**
     * @param unwritten jobs with unwritten outcomes. An unwritten outcome must first raise {@code inDoubt}. Only then
     *     may the late end of an attempt lower {@code inDoubt}
     */
    void settle(Set<JobId> unwritten) {
        List<JobId> due = new ArrayList<>();
        added.stream().filter(job -> !unwritten.contains(job)).forEach(due::add);
        added.removeIf(job -> !unwritten.contains(job));
        if (untilRetry() <= 0) {
            due.addAll(locked);
            locked.clear();
        }
        if (!due.isEmpty()) {
            // A late end is sent again only if the store says that it has skipped the row. If it were applied twice,
            // cancel could miss a running attempt.
            List<JobId> skipped = store.settleDoubt(due);
            if (locked.isEmpty()) {
                retryNanos = clock.nanoTime() + PAUSE.toNanos();
            }
            locked.addAll(skipped);
        }
    }

    long untilNext() {
        return locked.isEmpty() ? Agent.UNTIL_WOKEN : Math.max(untilRetry(), 0);
    }

    private long untilRetry() {
        return retryNanos - clock.nanoTime();
    }
}
