package io.delayjob.internal.dispatch;

import io.delayjob.event.LogThrottle;
import io.delayjob.internal.attempt.Standing;
import io.delayjob.internal.lane.Ticket;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.store.JobTransitions;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends claims to the store. Also releases the rows of a claim whose outcome is unknown, and claimed jobs that could
 * not be started. Thread-safe.
 *
 * <p>If the store does not answer a release, the same release is repeated until it does, and no rows are claimed
 * meanwhile. If the release fails for any other reason, one of its rows may be the cause. The release is then divided
 * into halves until that row is found. This row is tried again after growing pauses, and other rows are claimed
 * meanwhile. The row takes no slot and no key, because its job does not start.
 */
public final class Claims {

    private static final Logger log = LoggerFactory.getLogger(Claims.class);

    /**
     * If a row could not be released because another transaction had locked it, the release is tried again after this
     * time. If the store refuses to release a row, this is the first pause.
     */
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /**
     *  The store may refuse everything for a while, for example because its disk is full. The number is low, so that
     *  jobs then start soon after the store has recovered.
     */
    private static final int MAX_DOUBLINGS = 4;

    /** Maximum time for which a release waits, 1.6 s. */
    static final Duration LONGEST_PAUSE = Duration.ofNanos(PAUSE_NANOS << MAX_DOUBLINGS);

    /** After this number of refusals, which take about 3 s, delayjob logs that it cannot release the row. */
    private static final int MANY_REFUSALS = 6;

    /**
     * Maximum number of refused rows that wait apart. If the store refuses more rows, it probably refuses every
     * release, so no rows are claimed until it accepts one.
     */
    static final int MAX_APART = 100;

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

    private final Queue<Release> releases = new PriorityQueue<>((a, b) -> Long.signum(a.atNanos - b.atNanos));

    private final AtomicInteger released = new AtomicInteger();
    private final LogThrottle throttle = new LogThrottle();

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
            put(new Release(claim.rows(), claim.tickets(), token, clock.nanoTime(), 0));
            throw unknown;
        }
    }

    // ---- releases

    /** Tells whether a release must be sent now. */
    boolean hasDue() {
        collect();
        return untilNext() == 0;
    }

    /**
     * Sends the releases that are due within this time from now. If another transaction has locked a row, the release
     * of this row is tried again later.
     */
    void release(Duration within) {
        long untilNanos = clock.nanoTime() + within.toNanos();
        collect();
        Release next;
        while ((next = takeFirst(untilNanos)) != null) {
            Set<DueRow> held;
            try {
                held = new HashSet<>(store.release(next.rows, next.claimToken, random.nextLong(), clock.storeTime()));
            } catch (RuntimeException failure) {
                failed(next, failure, untilNanos);
                continue;
            } catch (Error failure) {
                put(next);
                throw failure;
            }
            released.addAndGet(next.unknown.isEmpty() ? next.rows.size() - held.size() : 0);
            lanes.claims()
                    .released(next.unknown.stream()
                            .filter(ticket -> !held.contains(ticket.row()))
                            .toList());
            if (!held.isEmpty()) {
                put(next.of(List.copyOf(held)).at(untilNanos + PAUSE_NANOS));
            }
            collect();
        }
    }

    /**
     * Handles a release that has failed. Unless the store is unavailable, a release of several rows is divided into
     * two. Both are due as early as the whole was.
     */
    private void failed(Release release, RuntimeException failure, long untilNanos) {
        if (failure instanceof StoreException said && said.isTransient()) {
            put(release);
            throw failure;
        } else if (release.rows.size() > 1) {
            divide(release);
        } else if (release.isApart() || countApart() < MAX_APART) {
            setApart(release, failure, untilNanos);
        } else {
            // The rows that wait apart are then tried first. If the store accepts one, this row can wait apart.
            put(release.at(clock.nanoTime()));
            throw failure;
        }
    }

    private void divide(Release release) {
        List<DueRow> rows = release.rows;
        try {
            Release first = release.of(rows.subList(0, rows.size() / 2));
            Release second = release.of(rows.subList(rows.size() / 2, rows.size()));
            put(first);
            put(second);
        } catch (RuntimeException | Error broken) {
            put(release);
            throw broken;
        }
    }

    private void setApart(Release release, RuntimeException failure, long untilNanos) {
        if (!release.isApart()) {
            lanes.claims().setApart(release.unknown);
        }
        Release refused = release.refused(untilNanos + (PAUSE_NANOS << Math.min(release.refusals, MAX_DOUBLINGS)));
        put(refused);
        if (refused.refusals >= MANY_REFUSALS) {
            warn(release.rows.get(0), failure);
        }
    }

    private void warn(DueRow row, RuntimeException failure) {
        throttle.admit("release", clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "delayjob cannot release job {} ({}){}, so this job does not start, and delayjob tries again. If "
                                + "other jobs start, only the row of this job is damaged: repair this row in the "
                                + "store. The reason: {}",
                        row.id(),
                        row.name(),
                        LogThrottle.withOtherJobs(before),
                        failure.toString()));
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
            put(new Release(rows, List.of(), random.nextLong(), clock.nanoTime(), 0));
        }
    }

    private synchronized @Nullable Release takeFirst(long untilNanos) {
        Release next = releases.peek();
        return next != null && untilNanos - next.atNanos >= 0 ? releases.remove() : null;
    }

    private synchronized void put(Release release) {
        releases.add(release);
    }

    private synchronized long countApart() {
        return releases.stream().filter(Release::isApart).count();
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
     * @param claimToken token of the claim, if its outcome is unknown. A row has this token if the claim was applied;
     *     otherwise the row still has the token that was read
     * @param refusals number of times that the store has refused the only row of this release
     */
    private record Release(List<DueRow> rows, List<Ticket> unknown, long claimToken, long atNanos, int refusals) {

        Release of(List<DueRow> part) {
            Set<DueRow> rowsOfPart = Set.copyOf(part);
            List<Ticket> unknownOfPart = unknown.stream()
                    .filter(ticket -> rowsOfPart.contains(ticket.row()))
                    .toList();
            return new Release(part, unknownOfPart, claimToken, atNanos, refusals);
        }

        Release at(long atNanos) {
            return new Release(rows, unknown, claimToken, atNanos, refusals);
        }

        Release refused(long atNanos) {
            return new Release(rows, unknown, claimToken, atNanos, refusals + 1);
        }

        boolean isApart() {
            return refusals > 0;
        }
    }
}
