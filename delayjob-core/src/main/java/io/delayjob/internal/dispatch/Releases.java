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
 * Releases rows if the outcome of their claim is unknown, or if their jobs were claimed but cannot start. Thread-safe.
 *
 * <p>If the store does not answer a release, the release is sent again. Until the store has answered, no rows are
 * claimed. If a release fails for another reason, it is divided into halves until the row that is the cause is found.
 * This row waits <em>apart</em>: its release is tried again after growing pauses, between claims of other rows.
 */
final class Releases {

    private static final Logger log = LoggerFactory.getLogger(Releases.class);

    /** Pause before a release is tried again. If the pauses grow, this is the first pause. */
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /** This number is low. Therefore jobs start soon after the recovery of a store that has refused all calls. */
    private static final int MAX_DOUBLINGS = 4;

    static final Duration LONGEST_PAUSE = Duration.ofNanos(PAUSE_NANOS << MAX_DOUBLINGS);

    private static final int MANY_REFUSALS = 6;

    /** Maximum number of rows that wait apart. If the store refuses more rows, it probably refuses every release. */
    static final int MAX_APART = 100;

    /**
     * Maximum time that a claimed job waits for a slot. After this time, the job is released, because another instance
     * may start it sooner.
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

    /** Adds the rows of a claim. The store may have applied this claim with this token. */
    void add(Batch claim, long claimToken) {
        put(List.of(new Release(claim.rows(), claim.tickets(), claimToken, beforeRowsApart(), 0)));
    }

    boolean hasDue() {
        collect();
        return untilNext() == 0;
    }

    /**
     * If {@code within} is zero, this method may return before all due rows that wait apart are released. Then the next
     * claim does not wait for these rows.
     *
     * @throws RuntimeException if a release got no reply, or if too many rows are refused; no rows may be claimed
     *     before this method is called again
     */
    void send(Duration within) {
        long untilNanos = clock.nanoTime() + within.toNanos();
        collect();
        Release next;
        while ((next = takeFirst(untilNanos)) != null) {
            // A failed release goes behind the rows apart. If MAX_APART rows are apart, one of them must be accepted
            // first.
            List<Release> left = List.of(next.at(clock.nanoTime()));
            try {
                left = send(next, untilNanos);
            } finally {
                put(left);
            }
            collect();
            if (within.isZero() && next.isApart() && !left.isEmpty() && isOnlyApartDue(untilNanos)) {
                // A claim comes next, so that the rows that wait apart delay no other job.
                return;
            }
        }
    }

    private synchronized boolean isOnlyApartDue(long untilNanos) {
        return queue.stream().allMatch(release -> release.isApart() || untilNanos - release.atNanos() < 0);
    }

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
                        "delayjob cannot release job {} ({}){}: the store refuses to undo the claim of this job. Until "
                                + "the release succeeds, the job does not start. delayjob repeats the release later. "
                                + "Check whether other jobs start. If they do, the row of this job is damaged: repair "
                                + "this row in the store. The reason: {}",
                        row.id(),
                        row.name(),
                        LogThrottle.withEarlierFailures(before),
                        failure.toString()));
    }

    /**
     * Rows of a claim with an unknown outcome are not counted, because nobody knows whether these rows were claimed.
     */
    int takeReleased() {
        return released.getAndSet(0);
    }

    /** This method holds no lock, because the clock may ask the store for the time. */
    private void collect() {
        List<Job> unstarted = lanes.toRelease(OVERSTAY);
        if (!unstarted.isEmpty()) {
            // Each release contains the token of the job's own claim, because a job with another token may be running.
            List<DueRow> rows = unstarted.stream().map(Job::toDueRow).toList();
            put(List.of(new Release(rows, List.of(), random.nextLong(), beforeRowsApart(), 0)));
        }
    }

    /**
     * Returns a time for a new release, so that this release comes before all rows that wait apart. Such a row waits
     * for at most {@link #LONGEST_PAUSE}.
     */
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

    synchronized long untilNext() {
        Release next = queue.peek();
        return next == null ? Agent.UNTIL_WOKEN : Math.max(next.atNanos() - clock.nanoTime(), 0);
    }
}
