package io.delayjob.internal.dispatch;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that the {@link Claimer}s give back to the store: rows of a claim with an unknown outcome, and claimed jobs
 * that could not be started. A release is repeated until it is answered. Thread-safe.
 */
public final class Returns {

    /** Time after which the release of a row is tried again if another transaction had locked it. */
    private static final long HELD_NANOS = Duration.ofMillis(100).toNanos();

    /** Maximum time that a claimed job waits for a slot, because another instance may start it sooner. */
    static final Duration OVERSTAY = Duration.ofSeconds(1);

    private final Lanes lanes;
    private final JobTransitions store;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final Deque<Release> releases = new ArrayDeque<>();
    private final AtomicInteger released = new AtomicInteger();

    public Returns(Lanes lanes, JobTransitions store, EngineClock clock, RandomGenerator random) {
        this.lanes = lanes;
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Takes a claim that may have been applied under this token. Its rows stay known until their release is answered.
     */
    void unknown(Batch claim, long claimToken) {
        putFirst(new Release(claim.rows(), claim.tickets(), claimToken, clock.nanoTime()));
    }

    /** Tells whether a release is due. */
    boolean hasDue() {
        collect();
        return untilNext() == 0;
    }

    /** Sends the releases that are due within that time. */
    void release(Duration within) {
        long untilNanos = clock.nanoTime() + within.toNanos();
        Release next;
        while ((next = take(untilNanos)) != null) {
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
                addHeld(next.of(held, untilNanos + HELD_NANOS));
            }
        }
    }

    /** Returns how many jobs are known to have been released since the previous call. */
    int takeReleased() {
        return released.getAndSet(0);
    }

    private @Nullable Release take(long untilNanos) {
        collect();
        return takeCollected(untilNanos);
    }

    private synchronized @Nullable Release takeCollected(long untilNanos) {
        Release next = releases.peek();
        return next != null && untilNanos - next.atNanos >= 0 ? releases.remove() : null;
    }

    private synchronized void putFirst(Release release) {
        releases.addFirst(release);
    }

    private synchronized void addHeld(Release held) {
        releases.add(held);
    }

    /**
     * Collects releases. This method holds no lock while the store is asked for its time, because the other claimer
     * must not wait.
     */
    private void collect() {
        List<Job> unstarted = lanes.toRelease(OVERSTAY);
        if (!unstarted.isEmpty()) {
            // Each release names the token of the job's own claim, because a job with another token may be running.
            List<DueRow> rows = unstarted.stream().map(Job::toDueRow).toList();
            putFirst(new Release(rows, List.of(), random.nextLong(), clock.nanoTime()));
        }
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
            return new Release(
                    List.copyOf(held),
                    unknown.stream()
                            .filter(ticket -> held.contains(ticket.row()))
                            .toList(),
                    claimToken,
                    atNanos);
        }
    }
}
