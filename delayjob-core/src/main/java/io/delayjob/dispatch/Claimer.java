package io.delayjob.dispatch;

import io.delayjob.complete.Completer;
import io.delayjob.job.DueIntake;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.store.JobStore;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims due rows in batches. While one claim is under way the next rows gather, so batches form by themselves under
 * load, and a lone job goes at once.
 *
 * <p>Two of them share the lanes: what comes due while one waits for the store is claimed by the other. Of a backlog only
 * one of them claims at a time while there are jobs that come due on time.
 *
 * <p>A claim whose outcome is unknown, and a claimed job that could not be started, is released, and the release
 * repeated until it is answered; this one claims nothing else before. Rows that somebody else holds locked are released
 * once they are not, and keep nobody waiting. One agent thread.
 */
public final class Claimer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Claimer.class);

    /** Rows that a claim passed over because somebody had them locked are offered once more after this. */
    private static final long REOFFER_NANOS = Duration.ofMillis(50).toNanos();

    /** Rows that could not be released because somebody had them locked are tried again after this. */
    private static final long HELD_NANOS = Duration.ofMillis(100).toNanos();

    /** A claimed job without a slot for so long is better off with another instance. */
    private static final Duration OVERSTAY = Duration.ofSeconds(1);

    /** How long to wait for what somebody else has to bring about: a heartbeat, the completer. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();

    /** A claimed job is a promise: with so many batches waiting to be written, no more is promised. */
    private static final int MAX_BACKLOG_BATCHES = 8;

    private final Lanes lanes;
    private final DueIntake waiting;
    private final JobStore store;
    private final LongSupplier owner;
    private final StartPermit permit;
    private final Completer completer;
    private final Attempts attempts;
    private final ClaimLead lead;
    private final ComingJobs coming;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final int batchSize;
    private final Runnable other;

    private volatile boolean busy;
    private final Deque<Release> releases = new ArrayDeque<>();

    /** Jobs that are known to have been released by the {@link #close} under way. */
    private int released;

    private final Deque<Reoffer> reoffers = new ArrayDeque<>();

    /**
     * @param waiting takes back what turns out not to be due yet
     * @param owner this instance's number; 0 while it has none
     * @param other wakes whoever may claim what this one leaves
     */
    public Claimer(
            Lanes lanes,
            DueIntake waiting,
            JobStore store,
            LongSupplier owner,
            StartPermit permit,
            Completer completer,
            Attempts attempts,
            ClaimLead lead,
            ComingJobs coming,
            EngineClock clock,
            RandomGenerator random,
            int batchSize,
            Runnable other) {
        this.lanes = lanes;
        this.waiting = waiting;
        this.store = store;
        this.owner = owner;
        this.permit = permit;
        this.completer = completer;
        this.attempts = attempts;
        this.lead = lead;
        this.coming = coming;
        this.clock = clock;
        this.random = random;
        this.batchSize = batchSize;
        this.other = other;
    }

    @Override
    public String roleName() {
        return "claim";
    }

    @Override
    public long doWork() {
        busy = true;
        long pause = work();
        // Not after a failure: until this one works again, the other has to.
        busy = false;
        return pause;
    }

    private long work() {
        release(clock.nanoTime());
        reoffer();
        long number = owner.getAsLong();
        if (!permit.mayStart(number) || completer.backlog() > MAX_BACKLOG_BATCHES * batchSize) {
            return lanes.ready() > 0 || lanes.hasClaimed() ? PATIENCE_NANOS : pause();
        }
        List<DueRow> rows = lanes.toClaim(batchSize);
        lanes.takeEarly().forEach(early -> waiting.offer(List.of(early.row), early.asOfNanos));
        if (!rows.isEmpty()) {
            claim(rows, number);
        }
        attempts.start(lanes.toStart());
        return lanes.hasReturned() ? 0 : Math.min(lanes.untilClaimable(), pause());
    }

    /**
     * Whether what comes due now may have to wait, for an answer of the store or for the store itself, before it is
     * claimed here.
     */
    public boolean isBusy() {
        return busy;
    }

    /** What must not be claimed yet, too: should this claim hang, the other one has to know when. */
    private void leaveTheRestToTheOther() {
        if (lanes.untilClaimable() != UNTIL_WOKEN) {
            other.run();
        }
    }

    private void claim(List<DueRow> rows, long number) {
        long token = random.nextLong();
        List<Job> jobs;
        leaveTheRestToTheOther();
        long sentNanos = clock.nanoTime();
        long sentMillis = clock.storeMillis();
        try {
            jobs = store.claim(rows, number, token, Instant.ofEpochMilli(sentMillis));
        } catch (RuntimeException | Error unknown) {
            // It may have been applied. The rows stay known and pending until their release is answered.
            releases.addFirst(new Release(rows, token, true, clock.nanoTime()));
            lanes.failed(rows);
            leaveTheRestToTheOther();
            throw unknown;
        }
        long tookNanos = clock.nanoTime() - sentNanos;
        Lanes.Claimed claimed = lanes.claimed(rows, jobs);
        coming.await(claimed.coming());
        // While these are started, the next ones can be claimed.
        leaveTheRestToTheOther();
        if (!claimed.passedOver().isEmpty()) {
            reoffers.add(new Reoffer(claimed.passedOver(), clock.nanoTime() + REOFFER_NANOS));
        }
        if (rows.stream().anyMatch(row -> sentMillis - row.dueMillis() < OVERSTAY.toMillis())) {
            // What was long due tells nothing: claims of a backlog are as large as they can be.
            lead.answeredAfter(tookNanos);
        }
    }

    private void release(long untilNanos) {
        List<DueRow> unstarted =
                lanes.toRelease(OVERSTAY).stream().map(Job::toDueRow).toList();
        if (!unstarted.isEmpty()) {
            // As they were claimed and not otherwise: what bears the token of another claim may be running.
            releases.addFirst(new Release(unstarted, random.nextLong(), false, clock.nanoTime()));
        }
        Release next;
        while ((next = releases.peek()) != null && untilNanos - next.atNanos >= 0) {
            leaveTheRestToTheOther();
            List<DueRow> held = store.release(next.rows, next.claimToken, random.nextLong(), clock.storeTime());
            releases.remove();
            if (next.unknownClaim) {
                lanes.claimed(without(held, next.rows), List.of());
            } else {
                released += next.rows.size() - held.size();
            }
            if (!held.isEmpty()) {
                releases.add(new Release(held, next.claimToken, next.unknownClaim, untilNanos + HELD_NANOS));
            }
        }
    }

    private static List<DueRow> without(List<DueRow> some, List<DueRow> all) {
        return some.isEmpty()
                ? all
                : all.stream().filter(row -> !some.contains(row)).toList();
    }

    private void reoffer() {
        Reoffer next;
        while ((next = reoffers.peek()) != null && clock.nanoTime() - next.atNanos >= 0) {
            reoffers.remove();
            lanes.offerAgain(next.rows);
        }
    }

    private long pause() {
        Reoffer reoffer = reoffers.peek();
        Release release = releases.peek();
        long pause = Math.min(
                reoffer == null ? UNTIL_WOKEN : Math.max(reoffer.atNanos - clock.nanoTime(), 0),
                release == null ? UNTIL_WOKEN : Math.max(release.atNanos - clock.nanoTime(), 0));
        return lanes.hasClaimed() ? Math.min(pause, OVERSTAY.toNanos() / 2) : pause;
    }

    /**
     * Takes nothing more, and releases what was claimed and not started, or started and recalled; may be called again.
     * The agent must have been stopped before. What cannot be released is left for others to rescue.
     *
     * @return how many jobs it has released
     */
    public int close() {
        lanes.close();
        released = 0;
        try {
            release(clock.nanoTime() + HELD_NANOS);
        } catch (RuntimeException failure) {
            log.warn("delayjob could not release all that it had claimed while stopping: {}", failure.toString());
        }
        return released;
    }

    /** @param claimToken that the rows may bear instead of their own */
    private record Release(List<DueRow> rows, long claimToken, boolean unknownClaim, long atNanos) {}

    private record Reoffer(List<Ready> rows, long atNanos) {}
}
