package io.delayjob.internal.dispatch;

import io.delayjob.internal.attempt.Assignment;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job that this instance knows, from the offer of its row to the end of its attempt.
 *
 * <pre>
 *   READY ---> CLAIMING ---> (COMING --->) CLAIMED ---> RUNNING ---> GONE
 * </pre>
 *
 * <p>While a ticket waits, a newer version of its job's row replaces its row. Once the row is being claimed, it no
 * longer changes, and a newer version gets its own ticket. Guarded by the lock of {@link Lanes}. A worker reads
 * {@link #job()} without that lock, after its slot was assigned.
 */
final class Ticket implements Assignment {

    enum State {
        /** Waits to be claimed. */
        READY,
        /** Its claim is under way, or its outcome is unknown. */
        CLAIMING,
        /** Claimed ahead of its time. */
        COMING,
        /** Claimed and due. Waits for a slot. */
        CLAIMED,
        /** Has a slot. */
        RUNNING,
        GONE
    }

    final Lane lane;

    /** How this instance came to know a row. */
    enum Kind {
        /** It has just come due, or is about to. */
        ON_TIME,
        /** A sweep has found it, so it is already late. */
        OVERDUE
    }

    final Kind kind;
    State state = State.READY;
    private DueRow row;
    private long asOfNanos;
    private boolean passedOver;
    private @Nullable Job job;

    /** The mutex that this ticket holds; {@code null} if it holds none. */
    @Nullable
    Mutex mutex;

    /** The key whose token this ticket has reserved for its start; {@code null} if it has reserved none. */
    @Nullable
    KeyRate rate;

    /** The gate at which this ticket waits beside its lane; {@code null} if it does not wait. */
    @Nullable
    Gate waitsAt;

    /**
     * The gate that has let it into its lane for the last time; {@code null} if there was none. If it comes too late,
     * it is the first there again.
     */
    @Nullable
    Gate letInBy;

    /** @param asOfNanos monotonic time before the row was read or written with this content */
    Ticket(Lane lane, DueRow row, long asOfNanos, Kind kind) {
        this.lane = lane;
        this.row = row;
        this.asOfNanos = asOfNanos;
        this.kind = kind;
    }

    /** Returns the ticket for the second offer of a row that a claim has passed over. */
    Ticket again() {
        Ticket again = new Ticket(lane, row, asOfNanos, kind);
        again.passedOver = true;
        return again;
    }

    /** Tells whether a claim has passed over the row before. */
    boolean isPassedOver() {
        return passedOver;
    }

    JobId id() {
        return row.id();
    }

    DueRow row() {
        return row;
    }

    long dueMillis() {
        return row.dueMillis();
    }

    long asOfNanos() {
        return asOfNanos;
    }

    /** Tells whether the other ticket has a newer version of the same job's row. */
    boolean isOvertakenBy(Ticket other) {
        return other.row.token() != row.token() && other.asOfNanos - asOfNanos >= 0 && !other.passedOver;
    }

    /** Takes over the row of another ticket, and keeps its own place. */
    void follow(Ticket news) {
        row = news.row;
        asOfNanos = news.asOfNanos;
        passedOver = false;
    }

    /** Tells whether only the leader of one partition may claim its row. */
    boolean hasKey() {
        return Gates.hasKey(lane.handler, row);
    }

    boolean hasMutex() {
        return row.mutex() != null;
    }

    void claimed(Job job) {
        this.job = job;
    }

    boolean isClaimed() {
        return job != null;
    }

    /** Returns the time at which the job was claimed, or came due if that was later. */
    Instant startedAt() {
        return Objects.requireNonNull(job().startedAt(), "not started");
    }

    // ---- while it has a slot

    @Override
    public Job job() {
        return Objects.requireNonNull(job, "not claimed");
    }

    @Override
    public boolean isPaused() {
        return lane.paused;
    }

    @Override
    public void giveBack() {
        lane.lanes.giveBack(this);
    }

    @Override
    public void setAside() {
        lane.lanes.setAside(this);
    }

    @Override
    public void rest(Duration time) {
        lane.lanes.claims().rest(lane.handler, time);
    }

    @Override
    public @Nullable Assignment finished(@Nullable Duration took) {
        return lane.lanes.finished(this, took);
    }
}
