package io.delayjob.store;

import java.time.Instant;

/**
 * Contains the statistics of one handler on one instance in one minute.
 *
 * @param minute start of the minute in store time: a whole number of minutes since the epoch
 * @param name the name of the handler; {@link #OTHERS} for handlers without a row of their own
 */
public record MinuteRow(Instant minute, String name, MinuteCounts counts) {

    /**
     * The name of the row for all handlers without a row of their own. Only the first hundred handlers of an instance
     * have rows of their own.
     */
    public static final String OTHERS = "";

    public MinuteRow {
        if (Math.floorMod(minute.toEpochMilli(), MinuteSpan.MINUTE.toMillis()) != 0) {
            throw new IllegalArgumentException("Invalid minute %s: must be the start of a minute.".formatted(minute));
        }
    }
}
