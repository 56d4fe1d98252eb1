package io.delayjob.internal.key;

import io.delayjob.internal.lane.Gate;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.limit.Leases;
import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.status.BusyMutex;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Represents a mutex that this instance grants, and the job that holds it. The lock of {@link Tickets} guards this
 * object.
 */
final class Mutex extends Gate {

    /** Maximum number of waiting rows in memory. This number is enough until a sweep reads more rows. */
    private static final int MOST = 1_000;

    private final Mutexes.Ground ground;
    private final Leases leases;

    /** A ticket holds its mutex from just before the claim until the attempt ends. */
    private @Nullable Ticket holder;

    private long holderTerm;

    /** The rows with this mutex whose jobs were running on other instances when the store was last read. */
    final Map<JobId, DueRow> elsewhere = new HashMap<>(2);

    Mutex(Tickets tickets, Mutexes.Ground ground, String name, Leases leases) {
        super(tickets, name);
        this.ground = ground;
        this.leases = leases;
    }

    boolean isFree() {
        return ground.known && holder == null && elsewhere.isEmpty();
    }

    void take(Ticket ticket) {
        holder = ticket;
        holderTerm = ground.term;
        ticket.holdsMutex(this);
    }

    @Override
    protected boolean isStillLed() {
        return leases.termOf(ground.home) == holderTerm;
    }

    /** Does nothing, because the holder keeps the mutex until its attempt ends. */
    @Override
    protected void start() {}

    @Override
    protected void free() {
        holder = null;
        settle();
    }

    void settle() {
        letIn();
        forgetIfIdle();
    }

    @Override
    protected int passes() {
        return isFree() ? 1 : 0;
    }

    @Override
    protected int worthKeeping() {
        return MOST;
    }

    @Override
    protected void waitingChanged() {
        if (isAwaited() && !elsewhere.isEmpty()) {
            leases.onRunningToRead().run();
        }
    }

    boolean isIdle() {
        return holder == null && elsewhere.isEmpty() && !isAwaited();
    }

    @Override
    protected void forgetIfIdle() {
        if (isIdle()) {
            ground.mutexes.remove(key, this);
        }
    }

    BusyMutex toStatus() {
        JobId held = holder != null
                ? holder.id()
                : elsewhere.keySet().stream().findFirst().orElse(null);
        return new BusyMutex(ground.home.queue(), key, held, waiting());
    }
}
