package io.delayjob.internal.lane;

import io.delayjob.handler.Handler;
import io.delayjob.internal.attempt.Assignment;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Represents a job that this instance knows. A ticket exists from the offer of the job's row to the end of the job's
 * attempt.
 *
 * <pre>
 *   READY ---> CLAIMING ---> (COMING --->) CLAIMED ---> RUNNING ---> GONE
 * </pre>
 *
 * <p>While a ticket waits, it takes over each newer version of its row. Once the row is being claimed, the ticket keeps
 * its version, and a newer version gets its own ticket.
 *
 * <p>If the row of a ticket has a key, the ticket passes {@link Gate}s just before its claim. At the gates, the ticket
 * takes a mutex, a token, or both. The ticket gives the mutex back when it leaves its lane. The start of the attempt
 * uses up the token. If no attempt starts, the ticket gives the token back, too.
 *
 * <p>The lock of {@link Tickets} guards this object. A worker thread reads {@link #job()} without that lock, after the
 * job has received its slot.
 */
public final class Ticket implements Assignment {

    /** Says how far the job of a ticket is. */
    enum State {
        /** The row waits to be claimed. */
        READY,
        /** The claim of the row is in progress, or its outcome is unknown. */
        CLAIMING,
        /** The job was claimed early, and waits for its due time. */
        COMING,
        /** The job is claimed and due. The job waits for a slot. */
        CLAIMED,
        /** The job has a slot. */
        RUNNING,
        /** The ticket is no longer in its lane. */
        GONE
    }

    /** Says how this instance came to know a row. */
    public enum Kind {
        /** The row has just become due, or will be due soon. */
        ON_TIME,
        /** A sweep has found the row, so it is already late. A sweep finds the oldest rows, whatever their keys are. */
        OVERDUE,
        /**
         * A scout has found the overdue row. The sweep had not reached the row, because memory had no free place for
         * earlier rows.
         */
        SCOUTED
    }

    final Lane lane;
    final Kind kind;
    State state = State.READY;
    private DueRow row;
    private long asOfNanos;
    private boolean passedOver;
    private @Nullable Job job;

    @Nullable
    Gate waitsAt;

    /**
     * The gate that the ticket has passed last; {@code null} if it has passed none. If the ticket then comes too late
     * for the mutex or the last token, it waits at this gate again, ahead of the other tickets of its lane.
     */
    @Nullable
    Gate letInBy;

    private @Nullable Gate mutex;
    private @Nullable Gate rate;

    /** @param asOfNanos a monotonic time that was taken before the row was read or written */
    public Ticket(Lane lane, DueRow row, long asOfNanos, Kind kind) {
        this.lane = lane;
        this.row = row;
        this.asOfNanos = asOfNanos;
        this.kind = kind;
    }

    /** Returns a ticket for the second offer of this row, after a claim has skipped the row. */
    public Ticket again() {
        Ticket again = new Ticket(lane, row, asOfNanos, kind);
        again.passedOver = true;
        return again;
    }

    /** Returns the lane of this ticket. The ticket waits in this lane, or at a gate outside of this lane. */
    public Lane lane() {
        return lane;
    }

    /** Tells whether an earlier claim has skipped the row. */
    public boolean isPassedOver() {
        return passedOver;
    }

    /** Returns the id of the job. */
    public JobId id() {
        return row.id();
    }

    /** Returns the newest known version of the row; if the row is being claimed, the version in the claim. */
    public DueRow row() {
        return row;
    }

    /** Returns the due time, in milliseconds of store time. */
    public long dueMillis() {
        return row.dueMillis();
    }

    /** Returns a monotonic time from before this row's values were read or written. */
    public long asOfNanos() {
        return asOfNanos;
    }

    /** Tells whether the other ticket has a newer version of the row. */
    boolean isOvertakenBy(Ticket other) {
        return other.row.token() != row.token() && other.asOfNanos - asOfNanos >= 0 && !other.passedOver;
    }

    void follow(Ticket news) {
        row = news.row;
        asOfNanos = news.asOfNanos;
        passedOver = false;
    }

    /** Stores the job that was claimed. */
    public void claimed(Job job) {
        this.job = job;
    }

    /** Tells whether the job of this ticket is claimed. */
    public boolean isClaimed() {
        return job != null;
    }

    /** Returns the time of the claim or the due time of the job, whichever is later. */
    Instant startedAt() {
        return Objects.requireNonNull(job().startedAt(), "not started");
    }

    // ---- gates

    /**
     * Tells whether this row has a mutex or a rate key. Only one leader may claim such a row: the leader of the
     * partition that the key selects.
     */
    public static boolean hasKey(Handler handler, DueRow row) {
        return handler.rateBy() != null || row.mutex() != null;
    }

    boolean hasKey() {
        return hasKey(lane.handler, row);
    }

    /** Returns the gate that the ticket waits at, outside of its lane; {@code null} if the ticket waits at no gate. */
    public @Nullable Gate waitsAt() {
        return waitsAt;
    }

    /** Returns the gate that the ticket has passed last; {@code null} if it has passed none. */
    public @Nullable Gate letInBy() {
        return letInBy;
    }

    /**
     * Sets the gate through which the ticket enters its lane when the lane has a free place; {@code null} for no gate.
     */
    public void enterBy(@Nullable Gate gate) {
        letInBy = gate;
    }

    void entered() {
        if (letInBy != null) {
            letInBy.lets(this);
        }
    }

    /** Records that the ticket is the next ticket of its lane. */
    public void comes() {
        if (letInBy != null) {
            letInBy.comes();
        }
    }

    /**
     * Records that the ticket no longer waits in its lane. If the ticket has taken nothing from the gate that let it
     * in, another ticket may pass instead. A ticket takes nothing in three cases: its row has another key by now, the
     * ticket waits at another gate, or this instance does not decide about the key at present.
     */
    void left() {
        if (letInBy != null && letInBy != mutex && letInBy != rate) {
            letInBy.letInNextAfter(this);
        }
    }

    boolean leavesGateFor(Ticket newer) {
        Gate gate = waitsAt;
        if (gate == null || lane == newer.lane && Objects.equals(row.keys(), newer.row.keys())) {
            return false;
        }
        gate.drop(this);
        gate.forgetIfIdle();
        return true;
    }

    /** Records that this ticket holds the mutex from now on. */
    public void holdsMutex(Gate taken) {
        mutex = taken;
    }

    /** Records that this ticket has reserved a token of this rate. */
    public void reservesTokenOf(Gate taken) {
        rate = taken;
    }

    boolean hasMutex() {
        return mutex != null;
    }

    /**
     * Processes the answer to this ticket's claim.
     *
     * @return whether the claim is valid. It is valid if the job has no mutex, or if this instance has decided about
     *     the mutex during the whole claim
     */
    public boolean answered() {
        if (rate != null) {
            rate.answered(this);
        }
        if (mutex == null) {
            return true;
        }
        mutex.answered(this);
        return mutex.isStillLed();
    }

    /**
     * A reserved token is lost if the lease under which it was reserved has ended. The job then must not start on this
     * instance.
     */
    boolean mayStart() {
        return rate == null || rate.isStillLed();
    }

    void start() {
        Gate used = rate;
        rate = null;
        if (used != null) {
            used.start();
        }
    }

    void free() {
        Gate reserved = rate;
        Gate held = mutex;
        rate = null;
        mutex = null;
        if (reserved != null) {
            reserved.free();
        }
        if (held != null) {
            held.free();
        }
    }

    // ---- methods of a ticket that has a slot

    @Override
    public Job job() {
        return Objects.requireNonNull(job, "not claimed");
    }

    @Override
    public boolean isPaused() {
        return lane.isPaused();
    }

    @Override
    public void giveBack() {
        lane.tickets.giveBack(this);
    }

    @Override
    public void setAside() {
        lane.tickets.setAside(this);
    }

    @Override
    public void rest(Duration time) {
        lane.tickets.rest(lane, time);
    }

    @Override
    public @Nullable Ticket finished(@Nullable Duration took) {
        return lane.tickets.finished(this, took);
    }
}
