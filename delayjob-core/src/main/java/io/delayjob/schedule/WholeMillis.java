package io.delayjob.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Rounds instants up to whole milliseconds, because rows contain only whole milliseconds. Rounding down would start a
 * job early.
 */
public final class WholeMillis {

    private WholeMillis() {}

    /** Returns the first whole millisecond at or after this instant. */
    public static Instant roundUp(Instant instant) {
        Instant millis = instant.truncatedTo(ChronoUnit.MILLIS);
        return millis.equals(instant) ? millis : millis.plusMillis(1);
    }
}
