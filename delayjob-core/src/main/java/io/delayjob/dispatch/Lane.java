package io.delayjob.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The way of one handler's jobs of one queue, from due to started. Guarded by the lock of {@link Lanes}. */
final class Lane {

    /**
     * Claims may run ahead of free slots by as much as starts within this time: a handler that takes microseconds would
     * otherwise be fed one slot's worth a round trip. A handler slower than this gets nothing claimed ahead.
     */
    private static final long CLAIM_AHEAD_NANOS = Duration.ofMillis(20).toNanos();

    /** Until a handler has run, it is taken for one of this pace. */
    private static final long UNKNOWN_PACE_NANOS = Duration.ofMillis(10).toNanos();

    /** Weight of the newest attempt in the moving average is 1/8, as in TCP's round-trip estimate (RFC 6298). */
    private static final int PACE_SHIFT = 3;

    final Handler handler;
    final QueueSlots queue;
    final Deque<DueRow> ready = new ArrayDeque<>();
    final Deque<Job> claimed = new ArrayDeque<>();
    int claiming;
    int running;
    private long paceNanos = -1;

    Lane(Handler handler, QueueSlots queue) {
        this.handler = handler;
        this.queue = queue;
    }

    /** How many more rows may be claimed now. */
    int mayClaim() {
        int free = Math.min(handler.concurrency() - running, queue.free());
        int pending = claiming + claimed.size();
        int ahead = claimAhead();
        return ahead > 0 ? free + ahead - pending : Math.min(free - pending, queue.free() - queue.pending);
    }

    /** Whether another claim is worth its round trip: nothing is left to start, or half of what may run ahead is used up. */
    boolean wantsClaim() {
        return !ready.isEmpty() && (claimed.isEmpty() && claiming == 0 || mayClaim() > claimAhead() / 2);
    }

    private int claimAhead() {
        if (paceNanos < 0 || paceNanos > CLAIM_AHEAD_NANOS) {
            return 0;
        }
        return (int) Math.min(CLAIM_AHEAD_NANOS / Math.max(paceNanos, 1_000) * slots(), Integer.MAX_VALUE / 2);
    }

    /** How many rows are worth keeping ready: twice what can start before the next sweep. */
    int worthKeeping(long sweepIntervalNanos) {
        long pace = paceNanos < 0 ? UNKNOWN_PACE_NANOS : Math.max(paceNanos, 1_000);
        long startable = 2 * (sweepIntervalNanos / pace + 1) * slots();
        return (int) Math.min(startable, Integer.MAX_VALUE / 2);
    }

    private int slots() {
        return Math.min(handler.concurrency(), queue.limit);
    }

    boolean mayStart() {
        return !claimed.isEmpty() && running < handler.concurrency() && queue.free() > 0;
    }

    void measured(long nanos) {
        paceNanos = paceNanos < 0 ? nanos : paceNanos + ((nanos - paceNanos) >> PACE_SHIFT);
    }
}
