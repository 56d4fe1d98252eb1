package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What limits the jobs of one handler and queue, besides the slots of the queue: the concurrency of the handler, on
 * this instance or in the cluster, rates, and a rest for which an attempt has asked. Guarded as {@link Limits} is.
 */
public final class LaneLimits {

    /** Maximum time between two looks at a share, because it may come or go at any time. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Minimum time between two looks, because a look for each token would cost more than it gains. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Handler handler;

    /** The buckets of the handler and of the queue, if they have a rate. */
    private final Bucket[] buckets;

    private final @Nullable KeyedRate keyed;

    /** The share of this instance; {@code null} if the concurrency counts on each instance. */
    private final @Nullable ClusterShare share;

    private final Rest rest;

    /** Number of rows that are being claimed, and of claimed jobs that have not ended. */
    private int held;

    private int running;

    LaneLimits(
            Handler handler, List<Bucket> buckets, @Nullable KeyedRate keyed, @Nullable ClusterShare share, Rest rest) {
        this.handler = handler;
        this.buckets = buckets.toArray(Bucket[]::new);
        this.keyed = keyed;
        this.share = share;
        this.rest = rest;
        if (share != null) {
            share.addLane();
        }
    }

    /** Tells whether the cluster limits the lane, so that its rows may wait although slots of the queue are free. */
    public boolean areOfCluster() {
        return share != null || buckets.length > 0;
    }

    /** Returns the rate that each key has; {@code null} if there is none. The other methods leave it out. */
    public @Nullable KeyedRate keyed() {
        return keyed;
    }

    /** Tells whether the end of an attempt in one lane lets lanes of the same handler in other queues start more. */
    public boolean areShared() {
        return share != null && share.hasManyLanes();
    }

    // ---- how much may be claimed and started

    /** Returns the number of rows that are being claimed, and of claimed jobs that have not ended. */
    public int held() {
        return held;
    }

    /** Returns the number of attempts under way. */
    public int running() {
        return running;
    }

    /** Returns how many jobs the lane may hold at a time, claimed or running; zero or less if none. */
    public int concurrency() {
        return share == null ? handler.concurrency() : share.mostFor(held);
    }

    /** Returns how many more rows may be claimed by the rates; zero or less if none. */
    public int free() {
        return rest.leftMillis > 0 ? 0 : freeTokens();
    }

    private int freeTokens() {
        int free = Integer.MAX_VALUE;
        for (Bucket bucket : buckets) {
            free = Math.min(free, bucket.free());
        }
        return free;
    }

    /**
     * Tells whether this instance owns a slot, usable or not. If not, other instances take its rows over, so it keeps
     * none.
     */
    public boolean haveSlots() {
        return share == null || share.isOwner();
    }

    /** Tells whether the handler lets another attempt start on this instance. */
    public boolean mayStartHere() {
        return running < handler.concurrency();
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
        for (Bucket bucket : buckets) {
            if (!bucket.isFull()) {
                return false;
            }
        }
        return share == null || share.hasFree() || share.leavesPartitionsOut();
    }

    /** Returns the maximum number of attempts that may start within that time by the rates; 1 or more. */
    public long within(long nanos) {
        long most = Long.MAX_VALUE;
        for (Bucket bucket : buckets) {
            most = Math.min(most, bucket.within(nanos));
        }
        return most;
    }

    // ---- a ticket's way

    /** Notes that a row is being claimed. */
    public void reserve() {
        held++;
        for (Bucket bucket : buckets) {
            bucket.reserve();
        }
        if (share != null) {
            share.reserve();
        }
    }

    /** Notes that an attempt starts. */
    public void start() {
        running++;
        for (Bucket bucket : buckets) {
            bucket.start();
        }
        if (share != null) {
            share.start();
        }
    }

    /** Notes the end of an attempt. */
    public void end() {
        held--;
        running--;
        if (share != null) {
            share.end();
        }
    }

    /** Notes that no attempt starts for a row. */
    public void leave() {
        held--;
        for (Bucket bucket : buckets) {
            bucket.leave();
        }
        if (share != null) {
            share.leave();
        }
    }

    // ---- time

    /** Takes note of the time. */
    public void follow(long nowMillis) {
        rest.follow(nowMillis);
    }

    /**
     * Lets nothing be claimed for that time, or for longer if an earlier call has asked for more, in all lanes of the
     * handler. A rest lasts a minute at most.
     */
    public void rest(long nowMillis, Duration time) {
        rest.begin(nowMillis, time);
    }

    /** Tells whether rows wait for a rate, or for the end of a rest. */
    public boolean letWait() {
        return free() <= 0;
    }

    /** Returns the nanoseconds after which to look again at waiting rows; {@link Long#MAX_VALUE} if none must wait. */
    public long untilNanos() {
        long until =
                letWait() ? Math.max(untilTokens(), TimeUnit.MILLISECONDS.toNanos(rest.leftMillis)) : Long.MAX_VALUE;
        // A lease that was lost may have been taken again.
        return share == null || share.hasFree() ? until : Math.min(until, LONGEST_WAIT_NANOS);
    }

    private long untilTokens() {
        long until = SHORTEST_WAIT_NANOS;
        for (Bucket bucket : buckets) {
            until = Math.max(until, bucket.untilNanos());
        }
        return Math.min(until, LONGEST_WAIT_NANOS);
    }

    /** A time in which no job of a handler is claimed. After it, the next job shows whether more is needed. */
    static final class Rest {

        private static final long LONGEST_MILLIS = TimeUnit.MINUTES.toMillis(1);

        /** Store time until which nothing is claimed. */
        private long untilMillis;

        /** Time that was left at the latest look; zero without a rest. */
        private long leftMillis;

        private void begin(long nowMillis, Duration time) {
            long millis = time.toSeconds() < 60 ? time.toMillis() : LONGEST_MILLIS;
            untilMillis = Math.max(untilMillis, nowMillis + millis);
            follow(nowMillis);
        }

        /** A rest ends at once if the store's clock was set back. */
        private void follow(long nowMillis) {
            if (untilMillis - nowMillis > LONGEST_MILLIS) {
                untilMillis = nowMillis;
            }
            leftMillis = Math.max(0, untilMillis - nowMillis);
        }
    }
}
