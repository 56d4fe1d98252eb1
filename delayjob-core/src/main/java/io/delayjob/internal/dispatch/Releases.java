package io.delayjob.internal.dispatch;

import io.delayjob.event.LogThrottle;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.store.JobTransitions;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases rows in two cases: the outcome of their claim is unknown, or their jobs were claimed but could not be
 * started. Thread-safe.
 *
 * <p>If the store does not answer a release, the same release is sent again until an answer comes. While a release
 * waits to be sent again, no rows are claimed. If the release fails for any other reason, one of its rows may be the
 * cause. The release is then divided into halves until that row is found. This row waits <em>apart</em>: its release is
 * tried again after growing pauses. Meanwhile, other rows are claimed, even between the tries for two rows that wait
 * apart. The row that waits apart takes neither a slot nor a key, because its job does not start.
 */
final class Releases {

    private static final Logger log = LoggerFactory.getLogger(Releases.class);

    /**
     * Pause before a release is tried again, if another transaction has locked one of its rows. If the store refuses a
     * row, this is also the first of the growing pauses.
     */
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * The store may refuse everything for a while, for example because its disk is full. This number is low, so that
     * jobs start soon after the store has recovered.
     */
    private static final int MAX_DOUBLINGS = 4;

    static final Duration LONGEST_PAUSE = Duration.ofNanos(PAUSE_NANOS << MAX_DOUBLINGS);

    /** After this number of refusals, which take about 3 s, delayjob logs that it cannot release the row. */
    private static final int MANY_REFUSALS = 6;

    /**
     * Maximum number of refused rows that wait apart while other rows are claimed. If the store refuses more rows, it
     * probably refuses every release. Then this instance stops its claims until the store accepts a release.
     */
    static final int MAX_APART = 100;

    /**
     * A claimed job waits for a slot for at most this time. After that, the job is released, because another instance
     * may be able to start it sooner.
     */
    static final Duration OVERSTAY = Duration.ofSeconds(1);

    private final Lanes lanes;
    private final JobTransitions store;
    private final EngineClock clock;
    private final RandomGenerator random;

    private final Queue<Release> queue = new PriorityQueue<>((a, b) -> Long.signum(a.atNanos() - b.atNanos()));

    private final AtomicInteger released = new AtomicInteger();
    private final LogThrottle throttle = new LogThrottle();

    Releases(Lanes lanes, JobTransitions store, EngineClock clock, RandomGenerator random) {
        this.lanes = lanes;
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /** Releases these rows, because the store may have applied the claim with this token. */
    void add(Batch claim, long claimToken) {
        put(List.of(new Release(claim.rows(), claim.tickets(), claimToken, beforeRowsApart(), 0)));
    }

    boolean hasDue() {
        collect();
        return untilNext() == 0;
    }

    /**
     * Sends the releases that are due within this time from now. Claimers pass zero, and so let a claim come between
     * two rows that wait apart. A stop passes a longer time, and sends all releases.
     *
     * @throws RuntimeException if a release got no reply, or if too many rows are refused; no rows are claimed before
     *     the next call
     */
    void send(Duration within) {
        long untilNanos = clock.nanoTime() + within.toNanos();
        collect();
        Release next;
        while ((next = takeFirst(untilNanos)) != null) {
            // A release that fails goes behind the rows that wait apart. If MAX_APART rows wait apart, one of them must
            // be accepted before this row can wait apart, too.
            List<Release> left = List.of(next.at(clock.nanoTime()));
            try {
                left = send(next, untilNanos);
            } finally {
                put(left);
            }
            collect();
            if (within.isZero() && next.isApart() && !left.isEmpty() && isOnlyApartDue(untilNanos)) {
                // A claim comes before the next row that waits apart, so that these rows delay no other job.
                return;
            }
        }
    }

    private synchronized boolean isOnlyApartDue(long untilNanos) {
        return queue.stream().allMatch(release -> release.isApart() || untilNanos - release.atNanos() < 0);
    }

    /** Returns the releases that must be sent later. */
    private List<Release> send(Release release, long untilNanos) {
        Set<DueRow> held;
        try {
            held = new HashSet<>(
                    store.release(release.rows(), release.claimToken(), random.nextLong(), clock.storeTime()));
        } catch (RuntimeException failure) {
            return refused(release, failure, untilNanos);
        }
        lanes.claims().released(release.unknownWithout(held));
        released.addAndGet(release.unknown().isEmpty() ? release.rows().size() - held.size() : 0);
        return held.isEmpty()
                ? List.of()
                : List.of(release.of(List.copyOf(held)).at(untilNanos + PAUSE_NANOS));
    }

    private List<Release> refused(Release release, RuntimeException failure, long untilNanos) {
        if (failure instanceof StoreException said && said.isTransient()) {
            throw failure;
        }
        if (release.rows().size() > 1) {
            return release.halves();
        }
        if (!release.isApart()) {
            if (countApart() >= MAX_APART) {
                throw failure;
            }
            lanes.claims().setApart(release.unknown());
        }
        long pause = PAUSE_NANOS << Math.min(release.refusals(), MAX_DOUBLINGS);
        Release refused = release.refused(untilNanos + pause);
        if (refused.refusals() >= MANY_REFUSALS) {
            warn(refused.rows().get(0), failure);
        }
        return List.of(refused);
    }

    private void warn(DueRow row, RuntimeException failure) {
        throttle.admit("release", clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "delayjob cannot release job {} ({}){}, so this job does not start, and delayjob tries again. If "
                                + "delayjob starts other jobs, the fault is in the row of this job: repair the row in "
                                + "the store. The reason: {}",
                        row.id(),
                        row.name(),
                        LogThrottle.withEarlierFailures(before),
                        failure.toString()));
    }

    /**
     * Returns the number of jobs that were released since the previous call. Rows of a claim with an unknown outcome do
     * not count, because nobody knows whether they were claimed.
     */
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
            put(List.of(new Release(rows, List.of(), random.nextLong(), beforeRowsApart(), 0)));
        }
    }

    /** Rows apart wait for at most {@link #LONGEST_PAUSE}, so the first try of a release comes before all of them. */
    private long beforeRowsApart() {
        return clock.nanoTime() - 2 * LONGEST_PAUSE.toNanos();
    }

    private synchronized @Nullable Release takeFirst(long untilNanos) {
        Release next = queue.peek();
        return next != null && untilNanos - next.atNanos() >= 0 ? queue.remove() : null;
    }

    private synchronized void put(List<Release> later) {
        queue.addAll(later);
    }

    private synchronized long countApart() {
        return queue.stream().filter(Release::isApart).count();
    }

    /**
     * Returns the nanoseconds until the next release must be sent; {@link Agent#UNTIL_WOKEN} if there is no release.
     */
    synchronized long untilNext() {
        Release next = queue.peek();
        return next == null ? Agent.UNTIL_WOKEN : Math.max(next.atNanos() - clock.nanoTime(), 0);
    }
}
