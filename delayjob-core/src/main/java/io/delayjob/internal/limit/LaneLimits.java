package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What limits the jobs of one handler and queue, besides the slots of the queue: the concurrency of the handler, on
 * this instance or in the cluster, rates, and a rest for which an attempt has asked. Guarded as {@link Limits} is.
 */
public final class LaneLimits {

    /** Maximum duration of a rest, in which nothing is claimed. After it, the next job shows whether more is needed. */
    public static final Duration LONGEST_REST = Duration.ofMinutes(1);

    /** Time after which to look again at the slots, because a lease that was lost may have been taken again. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Handler handler;
    private final Buckets buckets;
    private final @Nullable KeyedRate keyed;

    /** The share of this instance; {@code null} if the concurrency counts on each instance. */
    private final @Nullable ClusterShare share;

    /** Store time until which nothing is claimed, because an attempt has asked for that. */
    private long restsUntilMillis;

    /** Time that was left of that rest at the latest look; zero without a rest. */
    private long restMillis;

    LaneLimits(Handler handler, Buckets buckets, @Nullable KeyedRate keyed, @Nullable ClusterShare share) {
        this.handler = handler;
        this.buckets = buckets;
        this.keyed = keyed;
        this.share = share;
    }

    /** Tells whether the cluster limits the lane, so that its rows may wait although slots of the queue are free. */
    public boolean areOfCluster() {
        return share != null || !buckets.isEmpty();
    }

    /** Returns the rate that each key has; {@code null} if there is none. The other methods leave it out. */
    public @Nullable KeyedRate keyed() {
        return keyed;
    }

    /** Tells whether the end of an attempt in one lane lets lanes of the same handler in other queues start more. */
    public boolean areShared() {
        return share != null;
    }

    // ---- how much may be claimed and started

    /**
     * Returns how many jobs the lane may hold at a time, claimed or running; zero or less if none.
     *
     * @param held number of jobs that the lane holds already
     */
    public int concurrency(int held) {
        return share == null ? handler.concurrency() : share.mostFor(held);
    }

    /** Returns how many more rows may be claimed by the rates; zero or less if none. */
    public int free() {
        return restMillis > 0 ? 0 : buckets.free();
    }

    /**
     * Tells whether this instance owns a slot, usable or not. If not, other instances take its rows over, so it keeps
     * none.
     */
    public boolean haveSlots() {
        return share == null || share.isOwner();
    }

    /** Tells whether the cluster lets an attempt start now. */
    public boolean mayStart() {
        return share == null || share.mayStart();
    }

    /**
     * Tells whether this instance may take over rows of partitions that others lead. It leaves something unused that
     * these rows could use, or the leaders of some partitions have no slot to start them.
     */
    public boolean haveSpare() {
        return buckets.areFull() && (share == null || share.hasFree() || share.leavesPartitionsOut());
    }

    /** Returns the maximum number of attempts that may start within that time by the rates; 1 or more. */
    public long within(long nanos) {
        return buckets.within(nanos);
    }

    // ---- a ticket's way

    /** Notes that a row is being claimed. */
    public void reserve() {
        buckets.reserve();
        if (share != null) {
            share.reserve();
        }
    }

    /** Notes that an attempt starts. */
    public void start() {
        buckets.start();
        if (share != null) {
            share.start();
        }
    }

    /** Notes the end of an attempt. */
    public void end() {
        if (share != null) {
            share.end();
        }
    }

    /** Notes that no attempt starts for a row. */
    public void leave() {
        buckets.leave();
        if (share != null) {
            share.leave();
        }
    }

    // ---- rests

    /** Takes note of the time. A rest ends at once if the store's clock was set back. */
    public void follow(long nowMillis) {
        if (restsUntilMillis - nowMillis > LONGEST_REST.toMillis()) {
            restsUntilMillis = nowMillis;
        }
        restMillis = Math.max(0, restsUntilMillis - nowMillis);
    }

    /** Rests as long as another lane of its handler. */
    public void restLike(LaneLimits other) {
        restsUntilMillis = Math.max(restsUntilMillis, other.restsUntilMillis);
    }

    /** Lets nothing be claimed for that time, or for longer if an earlier call has asked for more. */
    public void rest(long nowMillis, long millis) {
        restsUntilMillis = Math.max(restsUntilMillis, nowMillis + millis);
        follow(nowMillis);
    }

    /** Tells whether rows wait for a rate, or for the end of a rest. */
    public boolean letWait() {
        return restMillis > 0 || buckets.free() <= 0;
    }

    /** Returns the nanoseconds after which to look again at waiting rows; {@link Long#MAX_VALUE} if none must wait. */
    public long untilNanos() {
        long ofRates =
                letWait() ? Math.max(buckets.untilNanos(), TimeUnit.MILLISECONDS.toNanos(restMillis)) : Long.MAX_VALUE;
        return share == null || share.hasFree() ? ofRates : Math.min(ofRates, LOOK_AGAIN_NANOS);
    }
}
