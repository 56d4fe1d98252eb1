package io.delayjob.internal.maintain;

import io.delayjob.internal.instance.Membership;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;

/**
 * Writes the statistics of each minute soon after the minute has ended, and deletes old statistics once an hour. A
 * killed instance loses the statistics of the present minute, and perhaps those of the previous minute.
 *
 * <p>One agent thread runs this object. Call {@link #writeAll()} only after the agent thread has stopped.
 */
public final class MinuteWriter implements Agent {

    /** During this time, threads may still add to the counts of the minute. */
    private static final Duration AFTER_THE_MINUTE = Duration.ofSeconds(1);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

    private final MinuteLog log;
    private final Membership membership;
    private final EngineClock clock;
    private long owner;
    private long nextPurgeNanos;

    public MinuteWriter(MinuteLog log, Membership membership, EngineClock clock) {
        this.log = log;
        this.membership = membership;
        this.clock = clock;
        this.nextPurgeNanos = clock.nanoTime() + MINUTE.toNanos();
    }

    @Override
    public String roleName() {
        return "statistics";
    }

    @Override
    public long doWork() {
        if (!log.isWritten()) {
            return UNTIL_WOKEN;
        }
        if (isKnown()) {
            log.writeOver(owner);
        }
        long now = clock.nanoTime();
        if (now - nextPurgeNanos >= 0) {
            if (log.purge()) {
                return 0;
            }
            nextPurgeNanos = now + HOUR_NANOS;
        }
        Duration intoTheMinute = Duration.between(log.presentMinute(), clock.storeTime());
        return MINUTE.minus(intoTheMinute).plus(AFTER_THE_MINUTE).toNanos();
    }

    /**
     * The writer uses the first number of this instance until the engine stops. This is safe, because no other instance
     * ever gets that number.
     */
    private boolean isKnown() {
        if (owner == 0) {
            owner = membership.number();
        }
        return owner != 0;
    }

    public void writeAll() {
        if (log.isWritten() && isKnown()) {
            log.writeAll(owner);
        }
    }
}
