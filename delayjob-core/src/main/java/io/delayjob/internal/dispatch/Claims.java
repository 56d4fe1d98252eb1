package io.delayjob.internal.dispatch;

import io.delayjob.internal.attempt.Standing;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends claims to the store. Also releases the rows of a claim whose outcome is unknown, and claimed jobs that could
 * not be started. A release is repeated until the store answers. Thread-safe.
 */
public final class Claims {

    /**
     * If a row could not be released because another transaction had locked it, the release is tried again after this
     * time.
     */
    private static final long HELD_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * Maximum time for which a claimed job waits for a slot. After that, the job is released, because another instance
     * may be able to start it sooner.
     */
    static final Duration OVERSTAY = Duration.ofSeconds(1);

    private final Lanes lanes;
    private final JobTransitions store;
    private final Standing standing;
    private final BooleanSupplier overloaded;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final Deque<Release> releases = new ArrayDeque<>();
    private final AtomicInteger released = new AtomicInteger();

    /**
     * @param overloaded tells whether too many outcomes of attempts are waiting to be written. If so, this instance
     *     leaves further jobs to other instances: it claims no more of them, because no other instance can start a job
     *     that this instance has claimed
     */
    public Claims(
            Lanes lanes,
            JobTransitions store,
            Standing standing,
            BooleanSupplier overloaded,
            EngineClock clock,
            RandomGenerator random) {
        this.lanes = lanes;
        this.store = store;
        this.standing = standing;
        this.overloaded = overloaded;
        this.clock = clock;
        this.random = random;
    }

    // ---- claims

    /**
     * Tells whether it makes sense to claim jobs now: a claimed job could start soon, and its outcome could be written
     * soon.
     */
    boolean mayClaim() {
        return standing.mayStart(standing.number()) && !overloaded.getAsBoolean();
    }

    /**
     * Claims these rows. After an error, it is unknown whether the claim was applied, so its rows are released. They
     * stay in memory until the store has answered the release.
     *
     * @return rows that a claim has skipped for the first time
     */
    List<Ticket> claim(Batch claim) {
        long token = random.nextLong();
        try {
            long sentNanos = clock.nanoTime();
            long sentMillis = clock.storeMillis();
            List<Job> jobs = store.claim(claim.rows(), standing.number(), token, Instant.ofEpochMilli(sentMillis));
            if (claim.hasRowsDueAfter(sentMillis - OVERSTAY.toMillis())) {
                // Claims of rows that have been overdue for long are not measured, because they are as large as
                // possible.
                lanes.lead().answeredAfter(clock.nanoTime() - sentNanos);
            }
            return lanes.claims().claimed(claim, jobs);
        } catch (RuntimeException | Error unknown) {
            putFirst(new Release(claim.rows(), claim.tickets(), token, clock.nanoTime()));
            throw unknown;
        }
    }

    // ---- releases

    /** Tells whether a release must be sent now. */
    boolean hasDue() {
        collect();
        return untilNext() == 0;
    }

    /** Sends the releases that must be sent within that time. */
    void release(Duration within) {
        long untilNanos = clock.nanoTime() + within.toNanos();
        collect();
        Release next;
        while ((next = takeFirst(untilNanos)) != null) {
            Set<DueRow> held;
            try {
                held = new HashSet<>(store.release(next.rows, next.claimToken, random.nextLong(), clock.storeTime()));
            } catch (RuntimeException | Error unanswered) {
                putFirst(next);
                throw unanswered;
            }
            released.addAndGet(next.unknown.isEmpty() ? next.rows.size() - held.size() : 0);
            lanes.claims()
                    .released(next.unknown.stream()
                            .filter(ticket -> !held.contains(ticket.row()))
                            .toList());
            if (!held.isEmpty()) {
                putLast(next.of(held, untilNanos + HELD_NANOS));
            }
            collect();
        }
    }

    /** Returns the number of jobs that were released since the previous call. */
    int takeReleased() {
        return released.getAndSet(0);
    }

    /**
     * Takes the claimed jobs that must be released. The method holds no lock, because the clock may ask the store for
     * its time.
     */
    private void collect() {
        List<Job> unstarted = lanes.toRelease(OVERSTAY);
        if (!unstarted.isEmpty()) {
            // Each release contains the token of the job's own claim, because a job with another token may be running.
            List<DueRow> rows = unstarted.stream().map(Job::toDueRow).toList();
            putFirst(new Release(rows, List.of(), random.nextLong(), clock.nanoTime()));
        }
    }

    private synchronized @Nullable Release takeFirst(long untilNanos) {
        Release next = releases.peek();
        return next != null && untilNanos - next.atNanos >= 0 ? releases.remove() : null;
    }

    private synchronized void putFirst(Release release) {
        releases.addFirst(release);
    }

    private synchronized void putLast(Release held) {
        releases.add(held);
    }

    /**
     * Returns the nanoseconds until the next release must be sent; {@link Agent#UNTIL_WOKEN} if there is no release.
     */
    synchronized long untilNext() {
        Release next = releases.peek();
        return next == null ? Agent.UNTIL_WOKEN : Math.max(next.atNanos - clock.nanoTime(), 0);
    }

    /**
     * @param unknown tickets of these rows, if it is unknown whether their claim was applied
     * @param claimToken token that the rows may have instead of the token that was read
     */
    private record Release(List<DueRow> rows, List<Ticket> unknown, long claimToken, long atNanos) {

        Release of(Set<DueRow> held, long atNanos) {
            List<Ticket> unknownHeld = unknown.stream()
                    .filter(ticket -> held.contains(ticket.row()))
                    .toList();
            return new Release(List.copyOf(held), unknownHeld, claimToken, atNanos);
        }
    }
}
