package io.delayjob.internal.dispatch;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job that this instance knows, from the offer of its row to the end of its attempt. Its state is the queue that it
 * is in.
 *
 * <pre>
 *   onTime, overdue, ahead ---> claiming ---> (coming --->) claimed ---> running
 * </pre>
 *
 * <p>Tickets with equal rows are different tickets: only the one offered last stands for its job. Guarded by the lock of
 * {@link Tickets}, except for what is final and for {@link #job()}, which a worker reads after its slot was assigned.
 */
final class Ticket {

    final Lane lane;
    final DueRow row;

    /** Monotonic time as of which the row was like that. */
    final long asOfNanos;

    /** Whether a sweep has found the row: it is late already. */
    final boolean overdue;

    /** Whether a claim has passed over the row before. */
    final boolean again;

    /** The claim that asked for it last. */
    @Nullable
    Batch batch;

    private @Nullable Job job;

    // Written by TicketQueue only.
    @Nullable
    TicketQueue queue;

    @Nullable
    Ticket previous;

    @Nullable
    Ticket next;

    Ticket(Lane lane, DueRow row, long asOfNanos, boolean overdue) {
        this(lane, row, asOfNanos, overdue, false);
    }

    private Ticket(Lane lane, DueRow row, long asOfNanos, boolean overdue, boolean again) {
        this.lane = lane;
        this.row = row;
        this.asOfNanos = asOfNanos;
        this.overdue = overdue;
        this.again = again;
    }

    /** As of when the row was read, because later news of the job may wait for its time elsewhere. */
    Ticket passedOver() {
        return new Ticket(lane, row, asOfNanos, overdue, true);
    }

    JobId id() {
        return row.id();
    }

    /** Whether that one is later news of the same job. */
    boolean isOvertakenBy(Ticket other) {
        return other.row.token() != row.token() && other.asOfNanos - asOfNanos >= 0;
    }

    boolean isIn(TicketQueue candidate) {
        return queue == candidate;
    }

    /** The claim has brought this. */
    void claimed(Job job) {
        this.job = job;
    }

    /** The claimed job. */
    Job job() {
        return Objects.requireNonNull(job, "not claimed");
    }

    /** From now on it is in no queue. */
    void leave() {
        if (queue != null) {
            queue.remove(this);
        }
    }
}
