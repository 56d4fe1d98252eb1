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
 * The claims that this instance sends to the store, and the jobs that it gives back: rows of a claim with an unknown
 * outcome, and claimed jobs that could not be started. A release is repeated until it is answered. Thread-safe.
 */
public final class Claims {

    /** Time after which the release of a row is tried again if another transaction had locked it. */
    private static final long HELD_NANOS = Duration.ofMillis(100).toNanos();

    /** Maximum time that a claimed job waits for a slot, because another instance may start it sooner. */
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
     * @param overloaded whether too many ends of attempts wait to be written. Then no more jobs are claimed, because
     *     other instances cannot start a claimed job
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

    /** Tells whether a job claimed now could start, and its end be written soon. */
    boolean mayClaim() {
        return standing.mayStart(standing.number()) && !overloaded.getAsBoolean();
    }

    /**
     * Claims these rows. After an error it is unknown whether the claim was applied, so its rows are released. They
     * stay known until that release is answered.
     *
     * @return rows that the claim has passed over for the first time
     */
    List<Ticket> claim(Batch claim) {
        long token = random.nextLong();
        try {
            long sentNanos = clock.nanoTime();
            long sentMillis = clock.storeMillis();
            List<Job> jobs = store.claim(claim.rows(), standing.number(), token, Instant.ofEpochMilli(sentMillis));
            if (claim.hasRowsDueAfter(sentMillis - OVERSTAY.toMillis())) {
                // Claims of rows that were overdue for long do not count, because claims of a backlog are as large as
                // they can be.
                lanes.lead().answeredAfter(clock.nanoTime() - sentNanos);
            }
            return lanes.claims().claimed(claim, jobs);
        } catch (RuntimeException | Error unknown) {
            putFirst(new Release(claim.rows(), claim.tickets(), token, clock.nanoTime()));
            throw unknown;
        }
    }

    // ---- releases

    /** Tells whether a release is due. */
    boolean hasDue() {
        collect();
        return untilNext() == 0;
    }

    /** Sends the releases that are due within that time. */
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

    /** Returns how many jobs are known to have been released since the previous call. */
    int takeReleased() {
        return released.getAndSet(0);
    }

    /** Takes the claimed jobs that are to be released. Holds no lock, because the store may be asked for its time. */
    private void collect() {
        List<Job> unstarted = lanes.toRelease(OVERSTAY);
        if (!unstarted.isEmpty()) {
            // Each release names the token of the job's own claim, because a job with another token may be running.
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

    /** Returns the nanoseconds until the next release is due; {@link Agent#UNTIL_WOKEN} if there is none. */
    synchronized long untilNext() {
        Release next = releases.peek();
        return next == null ? Agent.UNTIL_WOKEN : Math.max(next.atNanos - clock.nanoTime(), 0);
    }

    /**
     * @param unknown tickets of these rows if it is unknown whether their claim was applied
     * @param claimToken token that the rows may have instead of the one that was read
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
