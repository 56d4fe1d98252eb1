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
 * <p>Rows without a mutex never come here. Guarded by the lock of {@link Lanes}.
 */
final class Mutexes implements HeldElsewhere {

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

    private Partition home(DueRow row) {
        return Partition.ofKey(row.partition().queue(), Objects.requireNonNull(row.mutex()), partitions);
    }

    // ---- a ticket's way

    /**
     * Returns the mutex of this ticket, about which this instance decides. It is {@linkplain Mutex#forgetIfIdle
     * forgotten} unless the ticket takes it or waits for it.
     */
    Mutex of(Ticket ticket) {
        return in(ground(ticket.row()), ticket.row());
    }

    private Mutex in(MutexGround ground, DueRow row) {
        return ground.mutexes.computeIfAbsent(
                Objects.requireNonNull(row.mutex()), name -> new Mutex(lanes, ground, name, onRunningToRead));
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

    private static void letIn(Mutex mutex) {
        mutex.letIn();
        mutex.forgetIfIdle();
    }

    /** Takes out the waiting tickets of a lane. */
    List<Ticket> takeAll(Lane lane) {
        List<Ticket> taken = new ArrayList<>(0);
        for (MutexGround ground : grounds.values()) {
            ground.mutexes.values().forEach(mutex -> taken.addAll(mutex.takeAll(lane)));
            ground.mutexes.values().removeIf(Mutex::isIdle);
        }
        return taken;
    }

    /** Returns the mutexes for which tickets wait, those with the most tickets first. */
    List<BusyMutex> busy() {
        return grounds.values().stream()
                .flatMap(ground -> ground.mutexes.values().stream())
                .filter(Mutex::isAwaited)
                .map(Mutex::toStatus)
                .sorted(Comparator.comparingInt(BusyMutex::waiting).reversed().thenComparing(BusyMutex::mutex))
                .limit(BusyMutex.MOST_LISTED)
                .toList();
    }

    // ---- what is known of a mutex

    private @Nullable Mutex find(DueRow row) {
        return ground(row).mutexes.get(row.mutex());
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
                ground.mutexes.values().forEach(Mutex::dropAll);
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
                .forEach(row -> in(ground, row).runsElsewhere(row));
        ground.known = true;
        List.copyOf(ground.mutexes.values()).forEach(Mutexes::letIn);
    }

    /** Returns the running rows of other instances for whose mutexes tickets wait here. */
    @Override
    public List<DueRow> awaited() {
        return grounds.values().stream()
                .flatMap(ground -> ground.mutexes.values().stream())
                .filter(Mutex::isAwaited)
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
