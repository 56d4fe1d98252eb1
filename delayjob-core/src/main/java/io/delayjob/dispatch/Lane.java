package io.delayjob.dispatch;

import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way of one handler's jobs of one queue, from due to started. Guarded by the lock of {@link Lanes}. */
final class Lane {

    /**
     * Claims may run ahead of free slots by as much as starts within this time: a handler that takes microseconds would
     * otherwise be fed one slot's worth a round trip. A handler slower than this gets nothing claimed ahead.
     */
    private static final long CLAIM_AHEAD_NANOS = Duration.ofMillis(20).toNanos();

    /** Claimed jobs are in memory with their payloads, and are lost to all others until they start or are released. */
    private static final int MAX_CLAIM_AHEAD = 2_000;

    /** Until a handler has run, it is taken for one of this pace. */
    private static final long UNKNOWN_PACE_NANOS = Duration.ofMillis(10).toNanos();

    /** More rows than this have piled up: a claim of them takes milliseconds. */
    static final int BACKLOG = 100;

    /** So few rows that have moved on are let lie until it is their turn. */
    private static final int FEW_STALE = 64;

    /** Weight of the newest attempt in the moving average is 1/8, as in TCP's round-trip estimate (RFC 6298). */
    private static final int PACE_SHIFT = 3;

    final Handler handler;
    final QueueSlots queue;

    /** What has just come due, and what a sweep has found. They take turns, so that neither waits for all of the other. */
    private final Deque<Ready> onTime = new ArrayDeque<>();

    private final Deque<Ready> overdue = new ArrayDeque<>();
    private boolean overdueIsNext;

    /** What comes due within moments and may be claimed already, about in the order of the due times. */
    private final Deque<Ready> ahead = new ArrayDeque<>();

    /** Rows here whose jobs have moved on since, at most. */
    private int stale;

    final Deque<Job> claimed = new ArrayDeque<>();

    /** Claimed, and not due yet. */
    final Map<JobId, Job> coming = new HashMap<>();

    int claiming;
    int running;

    /** Has refused rows since it last had room: it takes no overdue ones until half of its room is there again. */
    boolean full;

    /** Was said to have enough overdue rows; it is announced once that is not so any more. */
    boolean sated;

    private long paceNanos = -1;

    Lane(Handler handler, QueueSlots queue) {
        this.handler = handler;
        this.queue = queue;
    }

    /** A slot that such a handler has taken is free again within moments, so others may count on it. */
    boolean isFast() {
        return paceNanos >= 0 && paceNanos <= CLAIM_AHEAD_NANOS;
    }

    /** Slots taken, and claims under way or answered that wait for one. */
    int held() {
        return running + claiming + claimed.size() + coming.size();
    }

    /** How many rows of one kind there are, with those that are about to be of it. */
    int count(boolean overdue) {
        return overdue ? this.overdue.size() : onTime.size() + ahead.size();
    }

    /** The due rows of one kind that wait to be claimed. */
    Deque<Ready> ready(boolean overdue) {
        return overdue ? this.overdue : onTime;
    }

    void add(Ready offered, long nowMillis) {
        follow(nowMillis);
        if (!offered.overdue && offered.row.dueMillis() > nowMillis) {
            ahead.add(offered);
        } else {
            ready(offered.overdue).add(offered);
        }
        queue.busy().add(this);
        queue.claimTurns.join(this);
    }

    /** Takes a claimed job that may start. */
    void addClaimed(Job job) {
        claimed.add(job);
        queue.busy().add(this);
        queue.startTurns.join(this);
    }

    /** Takes a claimed job whose time is still to come. */
    void addComing(Job job) {
        coming.put(job.id(), job);
        queue.busy().add(this);
    }

    /** Has refused rows. */
    void refuse() {
        full = true;
        queue.busy().add(this);
    }

    /** Was said to have enough overdue rows. */
    void sate() {
        sated = true;
        queue.busy().add(this);
    }

    /**
     * A row has moved on that may lie here. Once such rows are many, and more than a third of all, they are dropped.
     *
     * @return how many were
     */
    int overtaken(Map<JobId, Ready> known) {
        int before = readyCount();
        if (++stale <= Math.max(FEW_STALE, before / 3)) {
            return 0;
        }
        for (Deque<Ready> rows : List.of(onTime, overdue, ahead)) {
            rows.removeIf(row -> known.get(row.row.id()) != row);
        }
        stale = 0;
        return before - readyCount();
    }

    /** What lay ahead and has come due, unclaimed, goes with all that has just come due. */
    void follow(long nowMillis) {
        while (!ahead.isEmpty() && ahead.element().row.dueMillis() <= nowMillis) {
            onTime.add(ahead.remove());
        }
    }

    /** What may be claimed already, although it is not due, and is the next; {@code null} when there is nothing. */
    @Nullable
    Ready takeAhead() {
        return onTime.isEmpty() ? ahead.poll() : null;
    }

    int readyCount() {
        return onTime.size() + overdue.size() + ahead.size();
    }

    /** Whether there is a row that may be claimed now, due or not. */
    boolean hasClaimable(boolean backlogToo) {
        return hasReady(backlogToo) || onTime.isEmpty() && !ahead.isEmpty();
    }

    boolean hasBacklog() {
        return Math.max(onTime.size(), overdue.size()) > BACKLOG;
    }

    /** @param backlogToo whether what has piled up may be claimed now */
    boolean hasReady(boolean backlogToo) {
        return isReady(onTime, backlogToo) || isReady(overdue, backlogToo);
    }

    private static boolean isReady(Deque<Ready> rows, boolean backlogToo) {
        return !rows.isEmpty() && (backlogToo || rows.size() <= BACKLOG);
    }

    /** Takes the next row, of both kinds in turn. There must be one. */
    Ready takeReady(boolean backlogToo) {
        boolean kind = isReady(ready(overdueIsNext), backlogToo) ? overdueIsNext : !overdueIsNext;
        overdueIsNext = !kind;
        return ready(kind).remove();
    }

    /** How many more rows may be claimed now. */
    int mayClaim() {
        if (!isFast()) {
            return Math.min(handler.concurrency() - held(), queue.limit - queue.heldBySlow());
        }
        int slots = fastSlots();
        return slots + claimAhead(slots) - held();
    }

    /**
     * Whether another claim is worth its round trip: nothing is left to start, or half of what may run ahead is used
     * up.
     */
    boolean wantsClaim(boolean backlogToo) {
        return hasClaimable(backlogToo)
                && (claimed.isEmpty() && claiming == 0 || mayClaim() > (isFast() ? claimAhead(fastSlots()) / 2 : 0));
    }

    /** The slots that it can have now or in a moment. */
    private int fastSlots() {
        return Math.min(handler.concurrency(), queue.limit - queue.takenBySlow());
    }

    /** What all that compete for the slots claim ahead starts within that time. */
    private int claimAhead(int slots) {
        long startable = CLAIM_AHEAD_NANOS / Math.max(paceNanos, 1_000) * slots / queue.busyFastLanes();
        return (int) Math.min(startable, MAX_CLAIM_AHEAD);
    }

    /** Whether it has anything to be started, now or soon. */
    boolean isBusy() {
        return readyCount() > 0 || held() > 0;
    }

    /** Whether there is no need to look at it until it is given something. */
    boolean isIdle() {
        return !isBusy() && !full && !sated;
    }

    /** How many rows are worth keeping ready: twice what can start before the next sweep. */
    int worthKeeping(long sweepIntervalNanos) {
        long pace = paceNanos < 0 ? UNKNOWN_PACE_NANOS : Math.max(paceNanos, 1_000);
        long startable = 2 * (sweepIntervalNanos / pace + 1) * Math.min(handler.concurrency(), queue.limit);
        return (int) Math.min(startable, Integer.MAX_VALUE / 2);
    }

    /** Whether it has so many overdue rows that they last until more can be read: half of what is worth keeping. */
    boolean hasEnough(long sweepIntervalNanos) {
        return overdue.size() >= Math.min(worthKeeping(sweepIntervalNanos) / 2, MAX_CLAIM_AHEAD);
    }

    boolean mayStart() {
        return !claimed.isEmpty() && running < handler.concurrency() && queue.free() > 0;
    }

    /** Forgets the rows that are ready: they are known no longer. */
    void forgetReady(Map<JobId, Ready> known) {
        for (Deque<Ready> rows : List.of(onTime, overdue, ahead)) {
            rows.forEach(row -> known.remove(row.row.id(), row));
            rows.clear();
        }
        stale = 0;
        full = false;
    }

    void measured(long nanos) {
        paceNanos = paceNanos < 0 ? nanos : paceNanos + ((nanos - paceNanos) >> PACE_SHIFT);
    }
}
