package io.delayjob.internal.limit;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.status.ClusterSlots;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The shares of the handlers whose concurrency counts in the whole cluster. Guarded as {@link Limits} is. */
final class ClusterShares implements HeldElsewhere {

    private final Leases leases;
    private final Map<String, ClusterShare> ofHandlers = new TreeMap<>();

    /** All names of these handlers. Any thread may read them. */
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    ClusterShares(Collection<Handler> handlers, Leases leases) {
        this.leases = leases;
        // The shares are made now, so that the running rows are read from the first lease on.
        handlers.forEach(this::of);
    }

    /** Returns the share of a handler, for its jobs of all queues; {@code null} if it has no limit in the cluster. */
    @Nullable
    ClusterShare of(Handler handler) {
        return handler.scope() == ConcurrencyScope.CLUSTER
                ? ofHandlers.computeIfAbsent(handler.name(), name -> newShare(handler))
                : null;
    }

    private ClusterShare newShare(Handler handler) {
        names.addAll(handler.names());
        return new ClusterShare(handler, leases);
    }

    /** Counts the slots by the leases that are held now. */
    void look() {
        ofHandlers.values().forEach(ClusterShare::look);
    }

    Map<String, ClusterSlots> toStatus() {
        look();
        Map<String, ClusterSlots> all = new TreeMap<>();
        ofHandlers.forEach((handler, share) -> all.put(handler, share.toStatus()));
        return all;
    }

    @Override
    public Map<Partition, Long> unread() {
        Map<Partition, Long> unread = new HashMap<>();
        ofHandlers.values().forEach(share -> unread.putAll(share.unread()));
        return unread;
    }

    /** A call may put a job of a handler into any queue. */
    @Override
    public boolean mayLieIn(Partition home, Partition place) {
        return true;
    }

    @Override
    public boolean isUsedUpBy(DueRow running) {
        return names.contains(running.name());
    }

    @Override
    public void learn(Partition home, long ofTerm, Collection<DueRow> elsewhere) {
        ofHandlers.values().forEach(share -> share.learn(home, ofTerm, elsewhere));
    }

    @Override
    public List<DueRow> awaited() {
        Set<DueRow> awaited = new HashSet<>();
        ofHandlers.values().forEach(share -> awaited.addAll(share.awaited()));
        return List.copyOf(awaited);
    }

    @Override
    public void ended(Collection<DueRow> rows) {
        ofHandlers.values().forEach(share -> share.ended(rows));
    }
}
