package io.delayjob.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The years 1 to 9999, as milliseconds since the epoch. A planned time plus any allowed duration cannot overflow a
 * {@code long}.
 */
final class Timeline {

    private static final Instant FIRST_INSTANT = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST_INSTANT = Instant.parse("9999-12-31T23:59:59.999Z");

    static final long FIRST = FIRST_INSTANT.toEpochMilli();
    static final long LAST = LAST_INSTANT.toEpochMilli();

    /** Means that there is no further occurrence. This value is later than every limit. */
    static final long NEVER = Long.MAX_VALUE;

    private Timeline() {}

    /** Rounds up, so that no run is too early. Returns {@link #NEVER} after the year 9999. */
    static long ceil(String what, Instant instant) {
        long floor = floor(what, instant);
        return floor < LAST ? WholeMillis.roundUp(instant).toEpochMilli() : floor;
    }

    static long floor(String what, Instant instant) {
        if (instant.isBefore(FIRST_INSTANT)) {
            throw outOfRange(what, instant);
        }
        Instant millis = instant.truncatedTo(ChronoUnit.MILLIS);
        return millis.isAfter(LAST_INSTANT) ? NEVER : millis.toEpochMilli();
    }

    static Instant roundUp(String what, Instant instant) {
        return checked(what, instant, ceil(what, instant));
    }

    static Instant roundDown(String what, Instant instant) {
        return checked(what, instant, floor(what, instant));
    }

    private static Instant checked(String what, Instant instant, long millis) {
        if (millis == NEVER) {
            throw outOfRange(what, instant);
        }
        return Instant.ofEpochMilli(millis);
    }

    private static IllegalArgumentException outOfRange(String what, Instant instant) {
        return new IllegalArgumentException("Invalid " + what + " (" + instant
                + "): must lie within the years 1 to 9999; check the unit of the number from which the instant was "
                + "computed");
    }
}
