package io.delayjob.internal.dispatch;

import io.delayjob.job.Job;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims due rows in batches. While one claim is under way the next rows gather, so batches form by themselves under
 * load, and a lone job goes at once.
 *
 * <p>Two claimers share the lanes: what comes due while one waits for the store is claimed by the other. While jobs come
 * due on time, only one of them at a time claims from a backlog.
 *
 * <p>A claimer that has something to {@linkplain Returns release} claims nothing else before. One agent thread.
 */
public final class Claimer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Claimer.class);

    /** How long to wait for what somebody else has to bring about: a heartbeat, the completer. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();

    /** A stop waits so long for rows that other transactions have locked. */
    private static final Duration HELD_AT_STOP = Duration.ofMillis(100);

    private final Lanes lanes;
    private final Claims claims;
    private final Returns returns;
    private final ComingJobs coming;
    private final Attempts attempts;
    private final BooleanSupplier overloaded;
    private final Runnable other;

    private volatile boolean busy;

    /**
     * @param overloaded whether so many ends of attempts wait to be written that no more is to be claimed: a claimed job
     *     is a promise
     * @param other wakes the claimer that may claim what this one leaves
     */
    public Claimer(
            Lanes lanes,
            Claims claims,
            Returns returns,
            ComingJobs coming,
            Attempts attempts,
            BooleanSupplier overloaded,
            Runnable other) {
        this.lanes = lanes;
        this.claims = claims;
        this.returns = returns;
        this.coming = coming;
        this.attempts = attempts;
        this.overloaded = overloaded;
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
        release(Duration.ZERO);
        returns.offerAgain();
        if (!claims.mayClaim() || overloaded.getAsBoolean()) {
            return lanes.ready() > 0 || lanes.hasClaimed() ? PATIENCE_NANOS : pause();
        }
        Batch batch = lanes.toClaim(claims.batchSize());
        returns.early(lanes.takeEarly());
        if (!batch.isEmpty()) {
            claim(batch);
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

    private void claim(Batch batch) {
        long token = claims.freshToken();
        List<Job> jobs;
        leaveTheRestToTheOther();
        try {
            jobs = claims.send(batch, token);
        } catch (RuntimeException | Error unknown) {
            returns.unknown(batch, token);
            lanes.failed(batch);
            leaveTheRestToTheOther();
            throw unknown;
        }
        Lanes.Claimed claimed = lanes.claimed(batch, jobs);
        coming.await(claimed.coming());
        // While these are started, the next ones can be claimed.
        leaveTheRestToTheOther();
        returns.passedOver(claimed.passedOver());
    }

    private void release(Duration within) {
        if (returns.hasDue()) {
            leaveTheRestToTheOther();
            returns.release(within);
        }
    }

    private long pause() {
        return lanes.hasClaimed() ? Math.min(returns.pause(), Returns.OVERSTAY.toNanos() / 2) : returns.pause();
    }

    /**
     * Takes nothing more, and releases what was claimed and not started, or started and recalled; may be called again.
     * The agent must have been stopped before. What cannot be released is left for others to rescue.
     *
     * @return how many jobs it has released
     */
    public int close() {
        lanes.close();
        returns.takeReleased();
        try {
            release(HELD_AT_STOP);
        } catch (RuntimeException failure) {
            log.warn("delayjob could not release all that it had claimed while stopping: {}", failure.toString());
        }
        return returns.takeReleased();
    }
}
