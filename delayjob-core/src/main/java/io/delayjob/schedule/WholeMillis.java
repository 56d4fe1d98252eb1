package io.delayjob.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Rounds instants to the whole milliseconds of stored rows. It rounds up, because a job with a truncated due time would
 * start early.
 */
public final class WholeMillis {

    private WholeMillis() {}

    /** Returns the first whole millisecond at or after that instant. */
    public static Instant roundUp(Instant instant) {
        Instant millis = instant.truncatedTo(ChronoUnit.MILLIS);
        return millis.equals(instant) ? millis : millis.plusMillis(1);
    }
}
