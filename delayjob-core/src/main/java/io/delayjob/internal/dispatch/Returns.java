package io.delayjob.internal.dispatch;

import io.delayjob.internal.preload.DueIntake;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.store.JobTransitions;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Claimer} gives back. A claim whose outcome is unknown, and a claimed job that could not be started, is
 * released, and the release is repeated until it is answered. A row that a claim has passed over is offered once more. A
 * row that turned out not to be due goes back to the wheel. Belongs to one agent.
 */
public final class Returns {

    /** A row that a claim has passed over, because another transaction had it locked, is offered once more after this. */
    private static final long REOFFER_NANOS = Duration.ofMillis(50).toNanos();

    /** The release of a row that another transaction had locked is tried again after this. */
    private static final long HELD_NANOS = Duration.ofMillis(100).toNanos();

    /** A claimed job without a slot for that long is better off with another instance. */
    static final Duration OVERSTAY = Duration.ofSeconds(1);

    private final Lanes lanes;
    private final DueIntake waiting;
    private final JobTransitions store;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final Deque<Release> releases = new ArrayDeque<>();
    private final Deque<Reoffer> reoffers = new ArrayDeque<>();
    private int released;

    /** @param waiting takes back what turns out not to be due yet */
    public Returns(Lanes lanes, DueIntake waiting, JobTransitions store, EngineClock clock, RandomGenerator random) {
        this.lanes = lanes;
        this.waiting = waiting;
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /** The claim may have been applied under this token: its rows stay known until their release is answered. */
    void unknown(Batch claim, long claimToken) {
        releases.addFirst(new Release(claim.rows(), claim.tickets(), claimToken, clock.nanoTime()));
    }

    /** A claim has passed over these rows. */
    void passedOver(List<Ticket> rows) {
        if (!rows.isEmpty()) {
            reoffers.add(new Reoffer(rows, clock.nanoTime() + REOFFER_NANOS));
        }
    }

    /** These rows are not due yet after all. */
    void early(List<Ticket> rows) {
        rows.forEach(early -> waiting.offer(List.of(early.row), early.asOfNanos));
    }

    /** Offers once more what is to be offered by now. */
    void offerAgain() {
        Reoffer next;
        while ((next = reoffers.peek()) != null && clock.nanoTime() - next.atNanos >= 0) {
            reoffers.remove();
            lanes.intake().offerAgain(next.rows);
        }
    }

    /** Whether there is something to be released by now. */
    boolean hasDue() {
        collect();
        return isDue(clock.nanoTime());
    }

    /** Releases what is to be released by then. */
    void release(Duration within) {
        collect();
        long untilNanos = clock.nanoTime() + within.toNanos();
        while (isDue(untilNanos)) {
            Release next = releases.element();
            List<DueRow> held = store.release(next.rows, next.claimToken, random.nextLong(), clock.storeTime());
            releases.remove();
            released += next.unknown.isEmpty() ? next.rows.size() - held.size() : 0;
            Set<DueRow> stillHeld = new HashSet<>(held);
            lanes.released(next.unknown.stream()
                    .filter(ticket -> !stillHeld.contains(ticket.row))
                    .toList());
            if (!held.isEmpty()) {
                releases.add(next.of(stillHeld, untilNanos + HELD_NANOS));
            }
        }
    }

    /** How many jobs are known to have been released since this was last asked. */
    int takeReleased() {
        int all = released;
        released = 0;
        return all;
    }

    private boolean isDue(long untilNanos) {
        Release next = releases.peek();
        return next != null && untilNanos - next.atNanos >= 0;
    }

    private void collect() {
        List<Job> unstarted = lanes.toRelease(OVERSTAY);
        if (!unstarted.isEmpty()) {
            // As they were claimed and not otherwise: what bears the token of another claim may be running.
            List<DueRow> rows = unstarted.stream().map(Job::toDueRow).toList();
            releases.addFirst(new Release(rows, List.of(), random.nextLong(), clock.nanoTime()));
        }
    }

    /** Nanoseconds until there is something to be done here; {@link Agent#UNTIL_WOKEN} when there is nothing. */
    long pause() {
        Reoffer reoffer = reoffers.peek();
        Release release = releases.peek();
        return Math.min(
                until(reoffer == null ? null : reoffer.atNanos), until(release == null ? null : release.atNanos));
    }

    private long until(@Nullable Long atNanos) {
        return atNanos == null ? Agent.UNTIL_WOKEN : Math.max(atNanos - clock.nanoTime(), 0);
    }

    /**
     * @param unknown the tickets of these rows, where nobody knows whether their claim was applied
     * @param claimToken that the rows may bear instead of their own
     */
    private record Release(List<DueRow> rows, Collection<Ticket> unknown, long claimToken, long atNanos) {

        Release of(Set<DueRow> held, long atNanos) {
            return new Release(
                    List.copyOf(held),
                    unknown.stream().filter(ticket -> held.contains(ticket.row)).toList(),
                    claimToken,
                    atNanos);
        }
    }

    private record Reoffer(List<Ticket> rows, long atNanos) {}
}
