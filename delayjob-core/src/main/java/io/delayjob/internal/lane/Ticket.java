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
 * Represents a job in the memory of this instance, until the end of the job's attempt.
 *
 * <pre>
 *   READY ---> CLAIMING ---> (COMING --->) CLAIMED ---> RUNNING ---> GONE
 * </pre>
 *
 * <p>A waiting ticket takes over each newer version of its row, unless the row has moved to another lane. During and
 * after the claim, a newer version gets its own ticket.
 *
 * <p>If the row has a key, the ticket passes {@link Gate}s just before its claim. At these gates, the ticket takes a
 * mutex, a token, or both.
 *
 * <p>The lock of {@link Tickets} guards this object. A worker thread reads {@link #job()} without that lock, after the
 * job has received its slot.
 */
public final class Ticket implements Assignment {

    enum State {
        READY,
        /** The claim is in progress, or its outcome is unknown. */
        CLAIMING,
        COMING,
        CLAIMED,
        RUNNING,
        GONE
    }

    public enum Kind {
        ON_TIME,
        /** A sweep has found the row. A sweep finds the oldest rows of all keys. */
        OVERDUE,
        /** A scout has found the overdue row behind rows that had no place in memory. */
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
     * The gate that the ticket has passed last. If the ticket must wait at this gate again, it becomes the first ticket
     * of its lane.
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
    public Ticket againIn(Lane open) {
        Ticket again = new Ticket(open, row, asOfNanos, kind);
        again.passedOver = true;
        return again;
    }

    public Lane lane() {
        return lane;
    }

    public boolean isPassedOver() {
        return passedOver;
    }

    public JobId id() {
        return row.id();
    }

    public DueRow row() {
        return row;
    }

    public long dueMillis() {
        return row.dueMillis();
    }

    public long asOfNanos() {
        return asOfNanos;
    }

    boolean isOvertakenBy(Ticket other) {
        return other.row.token() != row.token() && other.asOfNanos - asOfNanos >= 0 && !other.passedOver;
    }

    void follow(Ticket news) {
        row = news.row;
        asOfNanos = news.asOfNanos;
        passedOver = false;
    }

    public void claimed(Job job) {
        this.job = job;
    }

    public boolean isClaimed() {
        return job != null;
    }

    Instant startedAt() {
        return Objects.requireNonNull(job().startedAt(), "not started");
    }

    // ---- gates

    /** Tells whether the row has a key. Only the leader of the partition that the key selects may claim the row. */
    public static boolean hasKey(Handler handler, DueRow row) {
        return handler.rateBy() != null || row.mutex() != null;
    }

    boolean hasKey() {
        return hasKey(lane.handler, row);
    }

    public @Nullable Gate waitsAt() {
        return waitsAt;
    }

    public @Nullable Gate letInBy() {
        return letInBy;
    }

    public void enterBy(@Nullable Gate gate) {
        letInBy = gate;
    }

    void entered() {
        if (letInBy != null) {
            letInBy.lets(this);
        }
    }

    public void comes() {
        if (letInBy != null) {
            letInBy.comes();
        }
    }

    /**
     * If a ticket leaves its lane without the mutex or token of its gate, the gate lets another ticket pass.
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

    public void holdsMutex(Gate taken) {
        mutex = taken;
    }

    public void reservesTokenOf(Gate taken) {
        rate = taken;
    }

    boolean hasMutex() {
        return mutex != null;
    }

    /** A claim with a mutex is valid only if this instance still has the lease that decides about the mutex. */
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

    /** If the lease under which a token was reserved has ended, the token is lost. */
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
