package io.delayjob.internal.dispatch;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.status.BusyMutex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A mutex that this instance decides about: who holds it. Guarded by the lock of {@link Lanes}. */
final class Mutex extends Gate {

    /**
     * Maximum number of rows of one mutex in memory. They last until a sweep brings more, unless their jobs are tiny.
     */
    private static final int MOST = 1_000;

    final MutexGround ground;
    private final Runnable onRunningToRead;

    /** The ticket whose row is being claimed, claimed or running here. */
    @Nullable
    Ticket holder;

    /** The lease under which the holder has taken it. */
    long holderTerm;

    /** Running rows that were read from the table, because other instances have claimed them. */
    private final Map<JobId, DueRow> elsewhere = new HashMap<>(2);

    /** @param onRunningToRead called when tickets wait for a row that runs elsewhere */
    Mutex(Lanes lanes, MutexGround ground, String name, Runnable onRunningToRead) {
        super(lanes, name);
        this.ground = ground;
        this.onRunningToRead = onRunningToRead;
    }

    boolean isFree() {
        return ground.known && holder == null && elsewhere.isEmpty();
    }

    /** Gives the mutex to a ticket. */
    void take(Ticket ticket) {
        holder = ticket;
        holderTerm = ground.term;
        ticket.mutex = this;
    }

    @Override
    int passes() {
        return isFree() ? 1 : 0;
    }

    @Override
    int worthKeeping() {
        return MOST;
    }

    @Override
    void waitingChanged() {
        if (isAwaited() && runsElsewhere()) {
            onRunningToRead.run();
        }
    }

    /** Tells whether nothing needs to be remembered about it. */
    boolean isIdle() {
        return holder == null && elsewhere.isEmpty() && !isAwaited();
    }

    @Override
    void forgetIfIdle() {
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

    boolean runsElsewhere() {
        return !elsewhere.isEmpty();
    }

    List<DueRow> elsewhere() {
        return List.copyOf(elsewhere.values());
    }

    /** Notes a running row of another instance. */
    void runsElsewhere(DueRow running) {
        elsewhere.put(running.id(), running);
    }

    /** Notes that this row no longer runs. */
    void ended(DueRow row) {
        elsewhere.remove(row.id(), row);
    }

    void forgetElsewhere() {
        elsewhere.clear();
    }
}
