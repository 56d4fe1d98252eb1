package io.delayjob.internal.limit;

import io.delayjob.handler.Handler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Contains the limits for the jobs of one handler and queue. These limits are the handler's concurrency, the rates, and
 * a rest of the handler. During a rest, nothing is claimed. The slots of the queue are not among these limits. The lock
 * of the tickets guards this object.
 */
public final class LaneLimits {

    /**
     * Maximum time between two checks of the slots in the cluster, because this instance may get or lose slots at any
     * time.
     */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Minimum time between two checks, because a check for each token would cost more than it gains. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Handler handler;

    /** The buckets of the handler and of the queue, if they have a rate. */
    private final Bucket[] buckets;

    private final @Nullable KeyedRate keyed;

    /** The slots of this instance in the cluster; {@code null} if each instance counts its own attempts. */
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

    /**
     * Tells whether limits of the cluster apply to the lane. If so, its rows may wait although slots of the queue are
     * free.
     */
    public boolean areOfCluster() {
        return share != null || buckets.length > 0;
    }

    /**
     * Returns the rate that each key has; {@code null} if the handler has no rate by key. The other methods of this
     * class ignore this rate.
     */
    public @Nullable KeyedRate keyed() {
        return keyed;
    }

    /**
     * Tells whether several lanes of the handler, in different queues, share its slots in the cluster. The end of an
     * attempt in one of these lanes may then allow another lane to start an attempt.
     */
    public boolean areShared() {
        return share != null && share.hasManyLanes();
    }

    // ---- numbers of jobs that may be claimed and started

    /** Returns how many rows are being claimed, plus how many claimed jobs have not ended. */
    public int held() {
        return held;
    }

    /** Returns the number of attempts under way. */
    public int running() {
        return running;
    }

    /** Returns how many jobs the lane may hold at a time, claimed or running; zero or less if it may hold no job. */
    public int concurrency() {
        return share == null ? handler.concurrency() : share.mostFor(held);
    }

    /** Returns how many more rows the rates allow to claim; zero or less if they allow none. */
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
     * Tells whether this instance owns a slot of the handler, even if the slot is not usable at present. If this
     * instance owns no slot, other instances take over the rows of the lane. So the lane keeps no rows.
     */
    public boolean haveSlots() {
        return share == null || share.isOwner();
    }

    /** Tells whether the limits of the handler on this instance allow another attempt to start. */
    public boolean mayStartHere() {
        return running < handler.concurrency();
    }

    /** Tells whether the limits of the cluster allow an attempt to start now. */
    public boolean mayStart() {
        return share == null || share.mayStart();
    }

    /**
     * Tells whether this instance may take over rows of partitions that other instances lead. For this, the buckets of
     * tokens of this instance must be full. If the handler has a limit in the cluster, this instance must also have a
     * free slot, or some partitions must have no slot. The leader of a partition without a slot never starts this
     * partition's jobs of the handler. So another instance must take over the partition's rows.
     */
    public boolean haveSpare() {
        for (Bucket bucket : buckets) {
            if (!bucket.isFull()) {
                return false;
            }
        }
        return share == null || share.hasFree() || share.leavesPartitionsOut();
    }

    /** Returns how many attempts the rates allow to start within that time, at least 1. */
    public long within(long nanos) {
        long most = Long.MAX_VALUE;
        for (Bucket bucket : buckets) {
            most = Math.min(most, bucket.within(nanos));
        }
        return most;
    }

    // ---- changes by a ticket

    /** Records that a row is being claimed. */
    public void reserve() {
        held++;
        for (Bucket bucket : buckets) {
            bucket.reserve();
        }
        if (share != null) {
            share.reserve();
        }
    }

    /** Records that an attempt starts. */
    public void start() {
        running++;
        for (Bucket bucket : buckets) {
            bucket.start();
        }
        if (share != null) {
            share.start();
        }
    }

    /** Records that an attempt has ended. */
    public void end() {
        held--;
        running--;
        if (share != null) {
            share.end();
        }
    }

    /** Records that no attempt starts for a row. */
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

    /** Updates the limits to the present time. */
    public void follow(long nowMillis) {
        rest.follow(nowMillis);
    }

    /**
     * Makes the handler rest: for the given time, but at most for a minute, no lane of the handler makes a claim. This
     * call never shortens a rest that has already begun.
     */
    public void rest(long nowMillis, Duration time) {
        rest.begin(nowMillis, time);
    }

    /** Tells whether rows must wait now: for a token of a rate, or for the end of a rest. */
    public boolean letWait() {
        return free() <= 0;
    }

    /**
     * Returns the nanoseconds until waiting rows must be checked again; {@link Long#MAX_VALUE} if no row must wait.
     */
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

    /**
     * Describes a rest of a handler: a time during which the handler's jobs are not claimed. Afterwards, the next job
     * shows whether the handler needs another rest.
     */
    static final class Rest {

        private static final long LONGEST_MILLIS = TimeUnit.MINUTES.toMillis(1);

        /** Store time until which no job is claimed. */
        private long untilMillis;

        /**
         * Remaining time of the handler's rest at the last call of {@link #follow}; zero if the handler did not rest
         * then.
         */
        private long leftMillis;

        private void begin(long nowMillis, Duration time) {
            long millis = time.toSeconds() < 60 ? time.toMillis() : LONGEST_MILLIS;
            untilMillis = Math.max(untilMillis, nowMillis + millis);
            follow(nowMillis);
        }

        /**
         * A handler rests for at most a minute. If more time remains, the store's clock was set back, and the handler's
         * rest ends at once.
         */
        private void follow(long nowMillis) {
            if (untilMillis - nowMillis > LONGEST_MILLIS) {
                untilMillis = nowMillis;
            }
            leftMillis = Math.max(0, untilMillis - nowMillis);
        }
    }
}
