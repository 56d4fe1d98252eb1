package io.delayjob.internal.key;

import io.delayjob.internal.lane.Gate;
import io.delayjob.internal.lane.Lane;
import io.delayjob.internal.lane.Tickets;
import io.delayjob.internal.limit.HeldElsewhere;
import io.delayjob.internal.limit.Leases;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.status.BusyMutex;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Contains the mutexes of jobs: jobs of a queue that have the same mutex run one at a time. A row holds its mutex while
 * the row is being claimed, and while its job runs.
 *
 * <pre>
 *   mutex --hash--> partition --lease--> the one instance that may claim rows of this mutex
 *
 *   lease begins --> the running rows are read, every mutex is busy until then
 *                --> a row takes its free mutex just before its claim, and gives it back when its ticket leaves the lane
 *                --> a claim counts only if its answer comes under the lease under which it was sent
 * </pre>
 *
 * <p>A claim that counts was committed before the lease of the leader ended. So the next leader finds the claimed row
 * among the running rows. Therefore the leader's memory is enough to decide about a mutex. The lock of {@link Tickets}
 * guards this object.
 */
final class Mutexes implements HeldElsewhere {

    private final Tickets tickets;
    private final Leases leases;
    private final Map<Partition, Ground> grounds = new HashMap<>();

    Mutexes(Tickets tickets, Leases leases) {
        this.tickets = tickets;
        this.leases = leases;
    }

    static final class Ground {

        final Partition home;
        final Map<String, Mutex> mutexes = new HashMap<>();

        /** Number of the lease; 0 if there is no lease. */
        long term;

        /** Whether the running rows were read under this lease. Until then, every mutex is busy. */
        boolean known;

        private Ground(Partition home) {
            this.home = home;
        }

        /**
         * Forgets the running rows, because other instances may have claimed rows between the old and the new lease.
         */
        private void beginAnew(long newTerm) {
            term = newTerm;
            known = false;
            mutexes.values().forEach(mutex -> mutex.elsewhere.clear());
            forgetIdle();
        }

        private void forgetIdle() {
            mutexes.values().removeIf(Mutex::isIdle);
        }
    }

    /** If no ticket takes the mutex or waits for it, the caller must call {@link Mutex#forgetIfIdle}. */
    @Nullable
    Mutex of(DueRow row) {
        return row.mutex() == null ? null : in(ground(row), row);
    }

    private Mutex in(Ground ground, DueRow row) {
        return ground.mutexes.computeIfAbsent(
                Objects.requireNonNull(row.mutex()), name -> new Mutex(tickets, ground, name, leases));
    }

    private Ground ground(DueRow row) {
        Ground ground = grounds.computeIfAbsent(home(row), Ground::new);
        long now = leases.termOf(ground.home);
        if (now != 0 && now != ground.term) {
            ground.beginAnew(now);
            leases.onRunningToRead().run();
        }
        return ground;
    }

    private Partition home(DueRow row) {
        return leases.homeOf(row.partition().queue(), Objects.requireNonNull(row.mutex()));
    }

    void drop(Lane lane) {
        for (Ground ground : grounds.values()) {
            ground.mutexes.values().forEach(mutex -> mutex.drop(lane));
            ground.forgetIdle();
        }
    }

    private Stream<Mutex> awaitedMutexes() {
        return grounds.values().stream()
                .flatMap(ground -> ground.mutexes.values().stream())
                .filter(Gate::isAwaited);
    }

    int waiting() {
        return awaitedMutexes().mapToInt(Gate::waiting).sum();
    }

    List<BusyMutex> busy() {
        return awaitedMutexes()
                .map(Mutex::toStatus)
                .sorted(Comparator.comparingInt(BusyMutex::waiting).reversed().thenComparing(BusyMutex::mutex))
                .limit(BusyMutex.MOST_LISTED)
                .toList();
    }

    // ---- rows that run on other instances

    /** Also removes the tickets that wait for mutexes of partitions that this instance no longer leads. */
    @Override
    public Map<Partition, Long> unread() {
        Map<Partition, Long> unread = new HashMap<>();
        for (Ground ground : grounds.values()) {
            if (ground.term == 0 || leases.termOf(ground.home) != ground.term) {
                ground.beginAnew(0);
                ground.mutexes.values().forEach(Gate::dropAll);
                ground.forgetIdle();
            } else if (!ground.known) {
                unread.put(ground.home, ground.term);
            }
        }
        grounds.values().removeIf(ground -> ground.term == 0 && ground.mutexes.isEmpty());
        return unread;
    }

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
        Ground ground = grounds.get(home);
        if (ground == null || ground.term != ofTerm || ground.known) {
            return;
        }
        elsewhere.stream()
                .filter(row -> isUsedUpBy(row) && home(row).equals(home))
                .forEach(row -> in(ground, row).elsewhere.put(row.id(), row));
        ground.known = true;
        List.copyOf(ground.mutexes.values()).forEach(Mutex::settle);
    }

    @Override
    public List<DueRow> awaited() {
        return awaitedMutexes()
                .flatMap(mutex -> mutex.elsewhere.values().stream())
                .toList();
    }

    @Override
    public void ended(Collection<DueRow> rows) {
        for (DueRow row : rows) {
            Mutex mutex = isUsedUpBy(row) ? ground(row).mutexes.get(row.mutex()) : null;
            if (mutex != null) {
                mutex.elsewhere.remove(row.id(), row);
                mutex.settle();
            }
        }
    }
}
