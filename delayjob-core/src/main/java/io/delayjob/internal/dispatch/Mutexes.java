package io.delayjob.internal.dispatch;

import io.delayjob.internal.limit.HeldElsewhere;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.status.BusyMutex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The mutexes of jobs: no two jobs of a queue with the same mutex run at a time. A mutex is no lock of its own. It is
 * taken by a row that is being claimed or runs.
 *
 * <pre>
 *   mutex --hash--> partition --lease--> the one instance that may claim rows of this mutex
 *
 *   lease begins --> the running rows are read, every mutex is busy until then
 *                --> a row takes its free mutex just before its claim, and gives it back when its ticket leaves the lane
 *                --> a claim counts only if its answer comes under the lease under which it was sent
 * </pre>
 *
 * <p>The last line makes the leader's memory enough. A claim that counts was committed before its lease ended, so the
 * next leader finds the row among the running rows. A job whose claim does not count is given back and never starts.
 *
 * <p>Rows without a mutex never come here. Guarded by the lock of {@link Lanes}, except {@link #decidesAbout}.
 */
final class Mutexes implements HeldElsewhere {

    /**
     * Maximum number of rows of one mutex in memory. They last until a sweep brings more, unless their jobs are tiny.
     */
    private static final int MOST_OF_EACH = 1_000;

    /**
     * Number of claims in a row that have found their rows changed, after which the other rows count as changed, too.
     */
    private static final int STALE_AFTER = 3;

    private final Lanes lanes;
    private final int partitions;
    private final ToLongFunction<Partition> term;
    private final Runnable onRunningToRead;
    private final Map<Partition, MutexGround> grounds = new HashMap<>();

    /** @param partitions number of partitions of a queue */
    Mutexes(Lanes lanes, int partitions, Neighbours neighbours) {
        this.lanes = lanes;
        this.partitions = partitions;
        this.term = neighbours.term();
        this.onRunningToRead = neighbours.onRunningToRead();
    }

    /** Tells whether this instance may claim rows with the mutex of this row. Any thread may ask. */
    boolean decidesAbout(DueRow row) {
        return term.applyAsLong(home(row)) != 0;
    }

    private Partition home(DueRow row) {
        return Partition.ofMutex(row.partition().queue(), Objects.requireNonNull(row.mutex()), partitions);
    }

    // ---- a ticket's way

    /** Tells whether the mutex of this ticket, about which this instance decides, is busy. */
    boolean isBusy(Ticket ticket) {
        Mutex mutex = find(ticket.row());
        return mutex == null ? !ground(ticket.row()).known : !mutex.isFree();
    }

    /**
     * Tells whether one more ticket may wait for its mutex. A mutex with many rows leaves room for others. A row that
     * is not kept stays in the table, where a sweep finds it.
     */
    boolean hasRoomFor(Ticket ticket) {
        Mutex mutex = find(ticket.row());
        int present = mutex == null ? 0 : mutex.waiting();
        return present < Math.min(MOST_OF_EACH, lanes.room.leftForMutexes());
    }

    /** Lets a ticket wait until its mutex is free. */
    void add(Ticket ticket) {
        Mutex mutex = mutexOf(ticket.row());
        mutex.add(ticket);
        waits(mutex);
    }

    private void waits(Mutex mutex) {
        lanes.room.waitingForMutex++;
        if (mutex.runsElsewhere()) {
            onRunningToRead.run();
        }
    }

    /**
     * Takes the mutex for a ticket whose turn has come. If the mutex is busy, the ticket waits beside its lane. If
     * another instance decides about the mutex now, the ticket is dropped.
     *
     * @return whether the row may be claimed
     */
    boolean take(Ticket ticket) {
        if (!decidesAbout(ticket.row())) {
            lanes.drop(ticket);
            return false;
        }
        Mutex mutex = mutexOf(ticket.row());
        if (!mutex.isFree()) {
            if (ticket.hadItsTurn) {
                mutex.addFirst(ticket);
            } else {
                mutex.add(ticket);
            }
            waits(mutex);
            return false;
        }
        mutex.holder = ticket;
        ticket.mutex = mutex;
        mutex.holderTerm = mutex.ground.term;
        return true;
    }

    /**
     * Tells whether the claim of this ticket counts, because this instance has decided about its mutex all the time.
     */
    boolean counts(Ticket ticket) {
        Mutex mutex = ticket.mutex;
        return mutex == null || term.applyAsLong(mutex.ground.home) == mutex.holderTerm;
    }

    /** Gives back the mutex of a ticket that leaves its lane. */
    void free(Ticket ticket) {
        Mutex mutex = Objects.requireNonNull(ticket.mutex);
        ticket.mutex = null;
        mutex.holder = null;
        letIn(mutex);
    }

    /** Lets the first waiting ticket of each lane in, if the mutex is free. The lane that claims first takes it. */
    private void letIn(Mutex mutex) {
        if (mutex.isFree()) {
            List<Ticket> first = mutex.takeFirst();
            lanes.room.waitingForMutex -= first.size();
            for (Ticket ticket : first) {
                ticket.hadItsTurn = true;
                ticket.lane.readmit(ticket);
            }
        }
        forgetIfIdle(mutex);
    }

    private static void forgetIfIdle(Mutex mutex) {
        if (mutex.isIdle()) {
            mutex.ground.mutexes.remove(mutex.name, mutex);
        }
    }

    /**
     * Takes note of the answer to the claim of a ticket that holds its mutex. If several claims in a row have found
     * their rows changed, a bulk change has probably changed the waiting rows, too. They are dropped, because each
     * would cost a claim. The sweep brings those that still wait.
     */
    void answered(Ticket ticket) {
        Mutex mutex = Objects.requireNonNull(ticket.mutex);
        mutex.passedOver = ticket.isClaimed() ? 0 : mutex.passedOver + 1;
        if (mutex.passedOver >= STALE_AFTER) {
            drop(mutex.takeAll());
        }
    }

    private void drop(List<Ticket> taken) {
        lanes.room.waitingForMutex -= taken.size();
        taken.forEach(lanes::drop);
    }

    /** Drops a ticket that waits for its mutex, if the newer version of its row has another mutex or none. */
    boolean dropsInFavourOf(Ticket newer, Ticket waiting) {
        if (!waiting.hasMutex()
                || Objects.equals(waiting.row().mutex(), newer.row().mutex())) {
            return false;
        }
        Mutex mutex = find(waiting.row());
        if (mutex == null || !mutex.takeOut(waiting)) {
            return false;
        }
        drop(List.of(waiting));
        forgetIfIdle(mutex);
        return true;
    }

    /** Takes out the waiting tickets of a lane. */
    List<Ticket> takeAll(Lane lane) {
        List<Ticket> taken = new ArrayList<>(0);
        for (MutexGround ground : grounds.values()) {
            ground.mutexes.values().forEach(mutex -> taken.addAll(mutex.takeAll(lane)));
            ground.mutexes.values().removeIf(Mutex::isIdle);
        }
        lanes.room.waitingForMutex -= taken.size();
        return taken;
    }

    /** Returns the mutexes for which tickets wait, those with the most tickets first. */
    List<BusyMutex> busy() {
        return grounds.values().stream()
                .flatMap(ground -> ground.mutexes.values().stream())
                .filter(mutex -> mutex.waiting() > 0)
                .map(Mutex::toStatus)
                .sorted(Comparator.comparingInt(BusyMutex::waiting).reversed().thenComparing(BusyMutex::mutex))
                .limit(BusyMutex.MOST_LISTED)
                .toList();
    }

    // ---- what is known of a mutex

    private @Nullable Mutex find(DueRow row) {
        return ground(row).mutexes.get(row.mutex());
    }

    private Mutex mutexOf(DueRow row) {
        MutexGround ground = ground(row);
        return ground.mutexes.computeIfAbsent(Objects.requireNonNull(row.mutex()), name -> new Mutex(ground, name));
    }

    private MutexGround ground(DueRow row) {
        MutexGround ground = grounds.computeIfAbsent(home(row), MutexGround::new);
        long now = term.applyAsLong(ground.home);
        if (now != 0 && now != ground.term) {
            ground.beginAnew(now);
            onRunningToRead.run();
        }
        return ground;
    }

    // ---- what runs elsewhere

    /** Also drops the tickets that wait for mutexes of partitions that this instance no longer leads. */
    @Override
    public Map<Partition, Long> unread() {
        for (MutexGround ground : grounds.values()) {
            if (ground.term == 0 || term.applyAsLong(ground.home) != ground.term) {
                ground.beginAnew(0);
                ground.mutexes.values().forEach(mutex -> drop(mutex.takeAll()));
                ground.mutexes.values().removeIf(Mutex::isIdle);
            }
        }
        grounds.values().removeIf(ground -> ground.term == 0 && ground.mutexes.isEmpty());
        Map<Partition, Long> unread = new HashMap<>();
        grounds.values().stream()
                .filter(ground -> ground.term != 0 && !ground.known)
                .forEach(ground -> unread.put(ground.home, ground.term));
        return unread;
    }

    /** A mutex belongs to a queue, and its rows may lie in any partition of that queue. */
    @Override
    public boolean mayLieIn(Partition home, Partition place) {
        return home.queue().equals(place.queue());
    }

    @Override
    public boolean isUsedUpBy(DueRow running) {
        return running.mutex() != null;
    }

    @Override
    public void learn(Partition home, long ofTerm, Collection<DueRow> elsewhere) {
        MutexGround ground = grounds.get(home);
        if (ground == null || ground.term != ofTerm || ground.known) {
            return;
        }
        elsewhere.stream()
                .filter(row -> isUsedUpBy(row) && home(row).equals(home))
                .forEach(row -> mutexOf(row).runsElsewhere(row));
        ground.known = true;
        List.copyOf(ground.mutexes.values()).forEach(this::letIn);
    }

    /** Returns the running rows of other instances for whose mutexes tickets wait here. */
    @Override
    public List<DueRow> awaited() {
        return grounds.values().stream()
                .flatMap(ground -> ground.mutexes.values().stream())
                .filter(mutex -> mutex.waiting() > 0)
                .flatMap(mutex -> mutex.elsewhere().stream())
                .toList();
    }

    @Override
    public void ended(Collection<DueRow> rows) {
        for (DueRow row : rows) {
            Mutex mutex = isUsedUpBy(row) ? find(row) : null;
            if (mutex != null) {
                mutex.ended(row);
                letIn(mutex);
            }
        }
    }
}
