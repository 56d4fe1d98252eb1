package io.delayjob.internal.limit;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** The buckets of a lane: of its handler, of its queue, of both, or none. Guarded as {@link Limits} is. */
final class Buckets {

    /** Maximum time between two looks at the share, because a share may come or go at any time. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Minimum time between two looks, because a look for each token would cost more than it gains. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Bucket[] all;

    Buckets(List<Bucket> all) {
        this.all = all.toArray(Bucket[]::new);
    }

    /** Tells whether there is no bucket, so that nothing here limits the lane. */
    boolean isEmpty() {
        return all.length == 0;
    }

    /** Returns how many more rows may be claimed; zero or less if none. */
    int free() {
        int free = Integer.MAX_VALUE;
        for (Bucket bucket : all) {
            free = Math.min(free, bucket.free());
        }
        return free;
    }

    /** Tells whether each bucket is full. */
    boolean areFull() {
        for (Bucket bucket : all) {
            if (!bucket.isFull()) {
                return false;
            }
        }
        return true;
    }

    /** Reserves a token of each bucket for the claim of a row. */
    void reserve() {
        for (Bucket bucket : all) {
            bucket.reserve();
        }
    }

    /** Takes the reserved tokens, because the attempt starts. */
    void start() {
        for (Bucket bucket : all) {
            bucket.start();
        }
    }

    /** Frees the reserved tokens, because no attempt starts. */
    void leave() {
        for (Bucket bucket : all) {
            bucket.leave();
        }
    }

    /** Returns the nanoseconds after which to look again whether each bucket has tokens for a claim. */
    long untilNanos() {
        long until = SHORTEST_WAIT_NANOS;
        for (Bucket bucket : all) {
            until = Math.max(until, bucket.untilNanos());
        }
        return Math.min(until, LONGEST_WAIT_NANOS);
    }

    /** Returns the maximum number of attempts that may start within that time; 1 or more. */
    long within(long nanos) {
        long most = Long.MAX_VALUE;
        for (Bucket bucket : all) {
            most = Math.min(most, bucket.within(nanos));
        }
        return most;
    }
}
