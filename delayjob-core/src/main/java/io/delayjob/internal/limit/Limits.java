package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.ClusterSlots;
import io.delayjob.time.EngineClock;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * This instance's parts of the limits that count in the whole cluster: rates, and the concurrency of some handlers. The
 * leases deal the limits out. Not thread-safe: the lock of the lanes guards it.
 */
public final class Limits {

    private final Rates rates;
    private final KeyedRates keyed;
    private final ClusterShares shares;

    /**
     * @param led number of partitions of a queue that this instance leads at the moment
     * @param term number of the lease under which this instance leads a partition now; 0 if it does not lead the
     *     partition
     * @param onRunningToRead called when a lease has begun under which the running rows must be read
     */
    public Limits(
            HandlerRegistry handlers,
            EngineSettings settings,
            EngineClock clock,
            ToIntFunction<String> led,
            ToLongFunction<Partition> term,
            Runnable onRunningToRead) {
        rates = new Rates(handlers, settings, clock, led);
        keyed = new KeyedRates(handlers.all(), settings.queues().partitions(), term, clock);
        shares = new ClusterShares(handlers.all(), settings.queues().partitions(), term, onRunningToRead);
    }

    /** Returns new limits for a lane: the jobs of this handler in this queue. */
    public LaneLimits of(Handler handler, String queue) {
        return new LaneLimits(handler, rates.of(handler, queue), keyed.of(handler, queue), shares.of(handler));
    }

    /**
     * Follows the time and the leases.
     *
     * @param storeMillis store time, read before the lock was taken
     */
    public void follow(long storeMillis) {
        rates.refill(storeMillis);
        keyed.look(storeMillis);
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
