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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Contains this instance's parts of the limits that apply to the whole cluster: rates, and the concurrency of some
 * handlers. The leases decide which parts this instance has. The lock of the tickets guards this object.
 */
public final class Limits {

    private final Leases leases;
    private final Rates rates;

    private final Map<String, ClusterShare> shares = new TreeMap<>();

    private final Map<String, LaneLimits.Rest> rests = new HashMap<>();

    /** Any thread may read this list. */
    private final List<HeldElsewhere> heldElsewhere = new CopyOnWriteArrayList<>();

    public Limits(HandlerRegistry handlers, EngineSettings settings, EngineClock clock, Leases leases) {
        this.leases = leases;
        rates = new Rates(handlers, settings, clock, leases);
        // All shares are created at the start, so that the running rows are read from the first lease on.
        handlers.all().forEach(this::shareOf);
    }

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

    public void forget(Set<String> unusedQueues) {
        rates.forget(unusedQueues);
    }

    /** @param storeMillis store time that was read before the lock was taken */
    public void follow(long storeMillis) {
        rates.follow(storeMillis);
        shares.values().forEach(ClusterShare::look);
    }

    /**
     * Empties the token buckets, because another leader of this instance's partitions may have used the free tokens.
     */
    public void empty() {
        rates.empty();
    }

    public void add(HeldElsewhere limit) {
        heldElsewhere.add(limit);
    }

    /** The list shows later changes, too. */
    public List<HeldElsewhere> heldElsewhere() {
        return heldElsewhere;
    }

    public Map<String, ClusterSlots> clusterSlots() {
        Map<String, ClusterSlots> all = new TreeMap<>();
        shares.forEach((handler, share) -> all.put(handler, share.toStatus()));
        return all;
    }
}
