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
 * A job that this instance knows, from the offer of its row to the end of its attempt.
 *
 * <pre>
 *   READY ---> CLAIMING ---> (COMING --->) CLAIMED ---> RUNNING ---> GONE
 * </pre>
 *
 * <p>While a ticket waits, a newer version of its job's row replaces its row. Once the row is being claimed, it no
 * longer changes, and a newer version gets its own ticket.
 *
 * <p>A ticket whose row has a key passes {@link Gate}s just before its claim. It keeps what it has taken there, a mutex
 * or a token, and gives it back when it leaves its lane. A start uses the token up.
 *
 * <p>Guarded by the lock of {@link Tickets}. A worker reads {@link #job()} without that lock, after its slot was
 * assigned.
 */
public final class Ticket implements Assignment {

    /** How far the job of a ticket is. */
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

    /** How this instance came to know a row. */
    public enum Kind {
        /** It has just come due, or is about to. */
        ON_TIME,
        /** A sweep has found it, so it is already late. A sweep brings the oldest rows, of any key. */
        OVERDUE,
        /** It is overdue, and was found behind rows for which the sweep had no room. */
        SCOUTED
    }

    final Lane lane;
    final Kind kind;
    State state = State.READY;
    private DueRow row;
    private long asOfNanos;
    private boolean passedOver;
    private @Nullable Job job;

    /** The gate at which this ticket waits beside its lane; {@code null} if it does not wait. */
    @Nullable
    Gate waitsAt;

    /**
     * The gate that has let it into its lane for the last time; {@code null} if there was none. If it comes too late,
     * it is the first there again.
     */
    @Nullable
    Gate letInBy;

    private @Nullable Gate mutex;
    private @Nullable Gate rate;

    /** @param asOfNanos monotonic time before the row was read or written with this content */
    public Ticket(Lane lane, DueRow row, long asOfNanos, Kind kind) {
        this.lane = lane;
        this.row = row;
        this.asOfNanos = asOfNanos;
        this.kind = kind;
    }

    /** Returns the ticket for the second offer of a row that a claim has passed over. */
    public Ticket again() {
        Ticket again = new Ticket(lane, row, asOfNanos, kind);
        again.passedOver = true;
        return again;
    }

    /** Returns the lane in which or beside which it waits. */
    public Lane lane() {
        return lane;
    }

    /** Tells whether a claim has passed over the row before. */
    public boolean isPassedOver() {
        return passedOver;
    }

    /** Returns the id of the job. */
    public JobId id() {
        return row.id();
    }

    /** Returns the newest version of the row that is known, or the one that is being claimed. */
    public DueRow row() {
        return row;
    }

    /** Returns the due time, in milliseconds of store time. */
    public long dueMillis() {
        return row.dueMillis();
    }

    /** Returns the monotonic time before the row was read or written with its content. */
    public long asOfNanos() {
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

    /** Takes note of the claimed job. */
    public void claimed(Job job) {
        this.job = job;
    }

    /** Tells whether its job is claimed. */
    public boolean isClaimed() {
        return job != null;
    }

    /** Returns the time at which the job was claimed, or came due if that was later. */
    Instant startedAt() {
        return Objects.requireNonNull(job().startedAt(), "not started");
    }

    // ---- its way through the gates

    /** Tells whether only the leader of one partition may claim rows like this one. */
    public static boolean hasKey(Handler handler, DueRow row) {
        return handler.rateBy() != null || row.mutex() != null;
    }

    /** Tells whether only the leader of one partition may claim its row. */
    boolean hasKey() {
        return hasKey(lane.handler, row);
    }

    /** Returns the gate that has let it into its lane for the last time; {@code null} if there was none. */
    public @Nullable Gate letInBy() {
        return letInBy;
    }

    /** Sets the gate by which it enters its lane, if there is room; {@code null} for none. */
    public void enterBy(@Nullable Gate gate) {
        letInBy = gate;
    }

    /** Notes that it has entered its lane. */
    void entered() {
        if (letInBy != null) {
            letInBy.lets(this);
        }
    }

    /** Notes that its turn has come in its lane. */
    public void comes() {
        if (letInBy != null) {
            letInBy.comes();
        }
    }

    /** Leaves the gate at which it waits, if the newer version of its row has another key or none. */
    boolean leavesGateFor(Ticket newer) {
        Gate gate = waitsAt;
        if (gate == null || Objects.equals(row.keys(), newer.row.keys())) {
            return false;
        }
        gate.drop(this);
        gate.forgetIfIdle();
        return true;
    }

    /** Notes that it holds this mutex from now on. */
    public void holdsMutex(Gate taken) {
        mutex = taken;
    }

    /** Notes that it has reserved a token of this rate. */
    public void reservesTokenOf(Gate taken) {
        rate = taken;
    }

    boolean hasMutex() {
        return mutex != null;
    }

    /**
     * Takes note of the answer to its claim.
     *
     * @return whether the claim counts, because this instance has decided about its mutex all the time
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

    /** Tells whether it may start here. Its token is lost if the lease has ended under which it was reserved. */
    boolean mayStart() {
        return rate == null || rate.isStillLed();
    }

    /** Uses up its token. */
    void start() {
        Gate used = rate;
        rate = null;
        if (used != null) {
            used.start();
        }
    }

    /** Gives back what it holds. */
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

    // ---- while it has a slot

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
