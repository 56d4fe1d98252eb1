package io.delayjob.internal.limit;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.ClusterSlots;
import io.delayjob.time.EngineClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Contains this instance's parts of the limits that count in the whole cluster: rates, and the concurrency of some
 * handlers. The leases decide which part of a limit each instance has. This class is not thread-safe: the lock of the
 * tickets guards it.
 */
public final class Limits {

    private final Leases leases;
    private final Rates rates;

    private final Map<String, ClusterShare> shares = new TreeMap<>();

    private final Map<String, LaneLimits.Rest> rests = new HashMap<>();

    /** The limits that may also count rows that run on other instances. Any thread may read this list. */
    private final List<HeldElsewhere> heldElsewhere = new CopyOnWriteArrayList<>();

    public Limits(HandlerRegistry handlers, EngineSettings settings, EngineClock clock, Leases leases) {
        this.leases = leases;
        rates = new Rates(handlers, settings, clock, leases);
        // All shares are created at the start, so that the running rows are read from the first lease on.
        handlers.all().forEach(this::shareOf);
    }

    /** Returns new limits for a lane. The lane contains the jobs of this handler in this queue. */
    public LaneLimits of(Handler handler, String queue) {
        return new LaneLimits(
                handler,
                rates.of(handler, queue),
                rates.keyed(handler, queue),
                shareOf(handler),
                rests.computeIfAbsent(handler.name(), name -> new LaneLimits.Rest()));
    }

    private @Nullable ClusterShare shareOf(Handler handler) {
        return handler.scope() == ConcurrencyScope.CLUSTER
                ? shares.computeIfAbsent(handler.name(), name -> newShare(handler))
                : null;
    }

    private ClusterShare newShare(Handler handler) {
        ClusterShare share = new ClusterShare(handler, leases);
        heldElsewhere.add(share);
        return share;
    }

    /**
     * Updates the limits to the present time and the present leases.
     *
     * @param storeMillis store time, which was read before the lock was taken
     */
    public void follow(long storeMillis) {
        rates.follow(storeMillis);
        shares.values().forEach(ClusterShare::look);
    }

    /** Removes all free tokens of rates, because another leader of this instance's partitions may have used them. */
    public void empty() {
        rates.empty();
    }

    /** Adds a limit that running rows of other instances may use up. */
    public void add(HeldElsewhere limit) {
        heldElsewhere.add(limit);
    }

    /** Returns the limits that running rows of other instances may use up. The list shows later changes, too. */
    public List<HeldElsewhere> heldElsewhere() {
        return heldElsewhere;
    }

    /**
     * Returns the slots of this instance by handler name. The map contains each handler with a concurrency limit for
     * the whole cluster.
     */
    public Map<String, ClusterSlots> clusterSlots() {
        Map<String, ClusterSlots> all = new TreeMap<>();
        shares.forEach((handler, share) -> all.put(handler, share.toStatus()));
        return all;
    }
}
