package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.ClusterSlots;
import io.delayjob.time.EngineClock;
import java.util.HashMap;
import java.util.Map;

/**
 * This instance's parts of the limits that count in the whole cluster: rates, and the concurrency of some handlers. The
 * leases deal the limits out. Not thread-safe: the lock of the tickets guards it.
 */
public final class Limits {

    private final Rates rates;
    private final ClusterShares shares;
    private final Map<String, LaneLimits.Rest> rests = new HashMap<>();

    public Limits(HandlerRegistry handlers, EngineSettings settings, EngineClock clock, Leases leases) {
        rates = new Rates(handlers, settings, clock, leases);
        shares = new ClusterShares(handlers.all(), leases);
    }

    /** Returns new limits for a lane: the jobs of this handler in this queue. */
    public LaneLimits of(Handler handler, String queue) {
        return new LaneLimits(
                handler,
                rates.of(handler, queue),
                rates.keyed(handler, queue),
                shares.of(handler),
                rests.computeIfAbsent(handler.name(), name -> new LaneLimits.Rest()));
    }

    /**
     * Follows the time and the leases.
     *
     * @param storeMillis store time, read before the lock was taken
     */
    public void follow(long storeMillis) {
        rates.follow(storeMillis);
        shares.look();
    }

    /** Takes out all free tokens of rates, because other instances may have led the partitions of this one. */
    public void empty() {
        rates.empty();
    }

    /** Returns the limits that rows of other instances may use up. */
    public HeldElsewhere heldElsewhere() {
        return shares;
    }

    /** Returns the slots of each handler whose concurrency counts in the cluster. */
    public Map<String, ClusterSlots> clusterSlots() {
        return shares.toStatus();
    }
}
