package io.delayjob.internal.dispatch;

import io.delayjob.job.Job;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims due rows in batches. While one claim is under way the next rows gather, so batches form by themselves under
 * load, and a lone job goes at once. What comes due while one claimer waits for the store is claimed by the other.
 *
 * <p>A claimer claims nothing while something is to be {@linkplain Returns released}. One agent thread each.
 */
public final class Claimer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Claimer.class);

    /** How long to wait for what somebody else has to bring about: a heartbeat, the completer. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();

    /** A stop waits so long for rows that other transactions have locked. */
    private static final Duration HELD_AT_STOP = Duration.ofMillis(100);

    /** What a claimer claims. */
    public enum Role {
        /** Leaves rows that have piled up to the other, unless that hangs: so it is free for rows that come due on time. */
        PROMPT,
        /** All rows. */
        BACKLOG;

        Role other() {
            return this == PROMPT ? BACKLOG : PROMPT;
        }
    }

    private final Role role;
    private final Lanes lanes;
    private final Claims claims;
    private final Returns returns;
    private final Later later;
    private final Attempts attempts;
    private final Runnable other;

    private volatile boolean busy;

    /** @param other wakes the claimer that may claim what this one leaves */
    public Claimer(
            Role role, Lanes lanes, Claims claims, Returns returns, Later later, Attempts attempts, Runnable other) {
        this.role = role;
        this.lanes = lanes;
        this.claims = claims;
        this.returns = returns;
        this.later = later;
        this.attempts = attempts;
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
        if (!claims.mayClaim()) {
            return lanes.ready() > 0 || lanes.hasClaimed() ? PATIENCE_NANOS : pause();
        }
        ClaimQueue.Chosen chosen = lanes.claims().toClaim(role, claims.batchSize());
        later.giveBack(chosen.early());
        if (!chosen.batch().isEmpty()) {
            claim(chosen.batch());
        }
        attempts.start(lanes.toStart());
        if (lanes.hasUnstarted() || lanes.claims().hasClaimable(role)) {
            return 0;
        }
        return leaveTheRestToTheOther() ? Math.min(pause(), ClaimQueue.PATIENCE.toNanos()) : pause();
    }

    /** Whether rows that come due now may have to wait for an answer of the store before they are claimed here. */
    public boolean isBusy() {
        return busy;
    }

    private boolean leaveTheRestToTheOther() {
        boolean leaves = lanes.claims().hasClaimable(role.other());
        if (leaves) {
            other.run();
        }
        return leaves;
    }

    private void claim(Batch batch) {
        long token = claims.freshToken();
        leaveTheRestToTheOther();
        List<Job> jobs;
        try {
            jobs = claims.send(batch, token);
        } catch (RuntimeException | Error unknown) {
            returns.unknown(batch, token);
            leaveTheRestToTheOther();
            throw unknown;
        }
        ClaimQueue.Claimed claimed = lanes.claims().claimed(batch, jobs);
        later.start(claimed.coming());
        later.offerAgain(claimed.passedOver());
        // While these are started, the next ones can be claimed.
        leaveTheRestToTheOther();
    }

    private void release(Duration within) {
        if (returns.hasDue()) {
            leaveTheRestToTheOther();
            lanes.claims().sendsRelease(role);
            returns.release(within);
        }
        lanes.claims().releaseAnswered(role);
    }

    private long pause() {
        long pause = returns.untilNext();
        return lanes.hasClaimed() ? Math.min(pause, Returns.OVERSTAY.toNanos() / 2) : pause;
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
