package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Contains the limits for the jobs of one handler in one queue: concurrency, rates, and pauses of the handler. The
 * slots of the queue are not among these limits. The lock of the tickets guards this object.
 */
public final class LaneLimits {

    /** Maximum time between two checks, because this instance may get or lose slots at any time. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Minimum time between two checks, because a check for each token would cost too much. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Handler handler;

    private final Bucket[] buckets;

    private final @Nullable KeyedRate keyed;

    /** {@code null} if each instance counts its own attempts. */
    private final @Nullable ClusterShare share;

    private final Rest rest;

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

    /** Must be called when an unused lane is removed. */
    public void close() {
        if (share != null) {
            share.removeLane();
        }
    }

    /** Tells whether rows may wait for a limit of the cluster while slots of the queue are free. */
    public boolean areOfCluster() {
        return share != null || buckets.length > 0;
    }

    /** Returns the rate per key. The other methods of this class ignore this rate. */
    public @Nullable KeyedRate keyed() {
        return keyed;
    }

    /** Tells whether the end of an attempt may let another lane of the handler start an attempt. */
    public boolean areShared() {
        return share != null && share.hasManyLanes();
    }

    // ---- numbers of jobs that may be claimed and started

    public int held() {
        return held;
    }

    public int running() {
        return running;
    }

    /** May be zero or less. */
    public int concurrency() {
        return share == null ? handler.concurrency() : share.mostFor(held);
    }

    /** May be zero or less. */
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
     * Tells whether the lane may keep rows. If the slots are shared by the cluster, this instance must own at least one
     * slot. The slot need not be usable.
     */
    public boolean haveSlots() {
        return share == null || share.isOwner();
    }

    /** Tells whether the limit of this instance allows another attempt. Limits of the cluster are ignored. */
    public boolean mayStartHere() {
        return running < handler.concurrency();
    }

    /** Tells whether the cluster's limit on concurrent attempts allows another attempt. */
    public boolean mayStart() {
        return share == null || share.mayStart();
    }

    /** If the leader of a row has no slot, it never starts the row. So another instance must take over the row. */
    public boolean haveSpare() {
        for (Bucket bucket : buckets) {
            if (!bucket.isFull()) {
                return false;
            }
        }
        return share == null || share.hasFree() || share.leavesPartitionsOut();
    }

    public long within(long nanos) {
        long most = Long.MAX_VALUE;
        for (Bucket bucket : buckets) {
            most = Math.min(most, bucket.within(nanos));
        }
        return most;
    }

    // ---- changes by a ticket

    public void reserve() {
        held++;
        for (Bucket bucket : buckets) {
            bucket.reserve();
        }
        if (share != null) {
            share.reserve();
        }
    }

    public void start() {
        running++;
        for (Bucket bucket : buckets) {
            bucket.start();
        }
        if (share != null) {
            share.start();
        }
    }

    public void end() {
        held--;
        running--;
        if (share != null) {
            share.end();
        }
    }

    /** Must be called if no attempt starts for a row. */
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

    public void follow(long nowMillis) {
        rest.follow(nowMillis);
    }

    /** A pause of the handler lasts for at most one minute, and is never shortened. */
    public void rest(long nowMillis, Duration time) {
        rest.begin(nowMillis, time);
    }

    public boolean letWait() {
        return free() <= 0;
    }

    /** Returns {@link Long#MAX_VALUE} if no row must wait. */
    public long untilNanos() {
        long until =
                letWait() ? Math.max(untilTokens(), TimeUnit.MILLISECONDS.toNanos(rest.leftMillis)) : Long.MAX_VALUE;
        // A lease that was lost may have been acquired again.
        return share == null || share.hasFree() ? until : Math.min(until, LONGEST_WAIT_NANOS);
    }

    private long untilTokens() {
        long until = SHORTEST_WAIT_NANOS;
        for (Bucket bucket : buckets) {
            until = Math.max(until, bucket.untilNanos());
        }
        return Math.min(until, LONGEST_WAIT_NANOS);
    }

    /** A time during which the handler's jobs are not claimed. */
    static final class Rest {

        private static final long LONGEST_MILLIS = TimeUnit.MINUTES.toMillis(1);

        /** Store time. */
        private long untilMillis;

        private long leftMillis;

        private void begin(long nowMillis, Duration time) {
            long millis = time.toSeconds() < 60 ? time.toMillis() : LONGEST_MILLIS;
            untilMillis = Math.max(untilMillis, nowMillis + millis);
            follow(nowMillis);
        }

        /** If the remaining time is longer than the longest pause, the store's clock was set back. */
        private void follow(long nowMillis) {
            if (untilMillis - nowMillis > LONGEST_MILLIS) {
                untilMillis = nowMillis;
            }
            leftMillis = Math.max(0, untilMillis - nowMillis);
        }
    }
}
