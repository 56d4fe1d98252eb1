package io.delayjob.internal.dispatch;

import io.delayjob.time.Agent;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims due rows in batches. Rows that arrive during a claim wait for the next claim. Therefore, claims become larger
 * under load, but a single job is claimed without delay. Each claimer runs on its own agent thread.
 */
public final class Claimer implements Agent {

    private static final Logger log = LoggerFactory.getLogger(Claimer.class);

    /** Pause while this claimer waits for another thread, for example for a heartbeat or for the write of outcomes. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();

    public enum Role {
        /**
         * Claims a few rows at a time, as soon as they become due. Therefore, this claimer is soon free again, even if
         * the other claimer waits long for the store.
         */
        PROMPT,
        BACKLOG;

        Role other() {
            return this == PROMPT ? BACKLOG : PROMPT;
        }
    }

    private final Role role;
    private final int batchSize;
    private final Lanes lanes;
    private final Claims claims;
    private final Releases releases;
    private final Later later;
    private final Runnable other;

    private volatile boolean busy;

    public Claimer(Role role, int batchSize, Lanes lanes, Claims claims, Later later, Runnable other) {
        this.role = role;
        this.batchSize = batchSize;
        this.lanes = lanes;
        this.claims = claims;
        this.releases = claims.releases();
        this.later = later;
        this.other = other;
    }

    @Override
    public String roleName() {
        return "claim";
    }

    public boolean isBusy() {
        return busy;
    }

    @Override
    public long doWork() {
        busy = true;
        long pause = work();
        // A claimer that has failed stays busy. Until it works again, the other claims the rows that become due.
        busy = false;
        return pause;
    }

    private long work() {
        if (releases.hasDue()) {
            leaveTheRestToTheOther();
            releases.send(Duration.ZERO);
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
        long pause = Math.min(releases.untilNext(), lanes.claims().untilNanos());
        return lanes.hasClaimed() ? Math.min(pause, Releases.OVERSTAY.toNanos() / 2) : pause;
    }

    /**
     * Releases claimed jobs that have not started, and jobs that the stop has interrupted. Call this method after the
     * agent has stopped. The call may be repeated.
     *
     * @return number of jobs that were released
     */
    public int close() {
        lanes.close();
        releases.takeReleased();
        try {
            releases.send(Releases.LONGEST_PAUSE);
        } catch (RuntimeException failure) {
            log.warn(
                    "This instance is stopping, and could not release some of the jobs that it had claimed. Other "
                            + "instances will start these jobs later. The reason: {}",
                    failure.toString());
        }
        return releases.takeReleased();
    }
}
