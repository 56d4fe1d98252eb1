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
 * If an attempt was treated as lost or timed out, but has now ended, this object lowers {@code inDoubt} of the job. If
 * another transaction has locked the row of a job, this object keeps the job and tries again later. Only one agent
 * thread uses this object.
 */
final class LateEnds {

    /**
     * Time between two tries while another transaction locks a row. The time may be long, because nothing waits for the
     * lower {@code inDoubt}.
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
     * For each late end, lowers {@code inDoubt} of the job by one.
     *
     * @param unwritten jobs with outcomes that are not written yet. New late ends of these jobs wait. First the outcome
     *     must raise {@code inDoubt}, and then the late end may lower it
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
            // Each late end leaves this object before it is sent, and returns only if the store says that it has
            // skipped the row. If a request without an answer were applied twice, cancel could miss a running attempt.
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
