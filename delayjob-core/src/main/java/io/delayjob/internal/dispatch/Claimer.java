package io.delayjob.internal.dispatch;

import io.delayjob.time.Agent;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims due rows in batches. Rows that arrive during a claim wait for the next one. So claims have more rows under
 * load, and a single job is claimed at once. When one claimer waits for the store, the other claims the rows that come
 * due.
 *
 * <p>A claimer claims nothing while releases are due. Each claimer runs on its own agent thread.
 */
public final class Claimer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Claimer.class);

    /** Time to wait for the work of another thread, such as a heartbeat or the completer. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();

    /** Time that a stop waits for rows that other transactions have locked. */
    private static final Duration HELD_AT_STOP = Duration.ofMillis(100);

    /** The rows that a claimer claims. */
    public enum Role {
        /**
         * Few rows at once: rows that come due on time, and overdue rows of a lane if few of them can be claimed at
         * once. It claims from other backlogs only while nothing comes due. So it is free for rows that come due,
         * however long the other claimer waits for the store.
         */
        PROMPT,
        /** All rows. */
        BACKLOG;

        Role other() {
            return this == PROMPT ? BACKLOG : PROMPT;
        }
    }

    private final Role role;
    private final int batchSize;
    private final Lanes lanes;
    private final Claims claims;
    private final Later later;
    private final Runnable other;

    private volatile boolean busy;

    /**
     * @param batchSize maximum number of rows of a claim
     * @param other wakes the other claimer, which may claim the rows that this claimer leaves
     */
    public Claimer(Role role, int batchSize, Lanes lanes, Claims claims, Later later, Runnable other) {
        this.role = role;
        this.batchSize = batchSize;
        this.lanes = lanes;
        this.claims = claims;
        this.later = later;
        this.other = other;
    }

    @Override
    public String roleName() {
        return "claim";
    }

    /** Tells whether rows that come due now may have to wait for the store's answer before they are claimed here. */
    public boolean isBusy() {
        return busy;
    }

    @Override
    public long doWork() {
        busy = true;
        long pause = work();
        // A failed claimer counts as busy: until it works again, the other claims the rows that come due.
        busy = false;
        return pause;
    }

    private long work() {
        if (claims.hasDue()) {
            leaveTheRestToTheOther();
            claims.release(Duration.ZERO);
        }
        if (!claims.mayClaim()) {
            return lanes.ready() > 0 || lanes.hasClaimed() ? PATIENCE_NANOS : pause();
        }
        ClaimQueue.Chosen chosen = lanes.claims().toClaim(role, batchSize);
        later.giveBack(chosen.early());
        if (!chosen.batch().isEmpty()) {
            leaveTheRestToTheOther();
            later.offerAgain(claims.claim(chosen.batch()));
        }
        later.start();
        if (lanes.tickets.hasUnstarted() || lanes.claims().hasClaimable(role)) {
            return 0;
        }
        leaveTheRestToTheOther();
        return pause();
    }

    private void leaveTheRestToTheOther() {
        if (lanes.claims().hasClaimable(role.other())) {
            other.run();
        }
    }

    private long pause() {
        long pause = Math.min(claims.untilNext(), lanes.claims().untilNanos());
        return lanes.hasClaimed() ? Math.min(pause, Claims.OVERSTAY.toNanos() / 2) : pause;
    }

    /**
     * Takes nothing more. Releases claimed jobs that were not started, and started jobs that were recalled. Call it
     * only after the agent has stopped; it may be called again. Jobs that it cannot release are left for other
     * instances to rescue.
     *
     * @return number of released jobs
     */
    public int close() {
        lanes.close();
        claims.takeReleased();
        try {
            claims.release(HELD_AT_STOP);
        } catch (RuntimeException failure) {
            log.warn(
                    "During its stop, this instance could not release all jobs that it had claimed. Other "
                            + "instances will start these jobs later. The reason: {}",
                    failure.toString());
        }
        return claims.takeReleased();
    }
}
