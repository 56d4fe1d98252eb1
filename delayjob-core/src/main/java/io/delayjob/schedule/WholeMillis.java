package io.delayjob.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Rows hold whole milliseconds. A due time that was cut to one would come early, so it is rounded up. */
public final class WholeMillis {

    private WholeMillis() {}

    /** The first whole millisecond at or after that instant. */
    public static Instant roundUp(Instant instant) {
        Instant millis = instant.truncatedTo(ChronoUnit.MILLIS);
        return millis.equals(instant) ? millis : millis.plusMillis(1);
    }
}
