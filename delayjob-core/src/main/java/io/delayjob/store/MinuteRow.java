package io.delayjob.store;

import java.time.Instant;

/**
 * What one instance did for one handler in one minute.
 *
 * @param minute where the minute begins, in store time: a whole number of minutes since the epoch
 * @param name the handler; {@link #OTHERS} for those that have no numbers of their own
 */
public record MinuteRow(Instant minute, String name, MinuteCounts counts) {

    /** In place of a name: all handlers beyond the first hundred of an instance, together. */
    public static final String OTHERS = "";

    public MinuteRow {
        if (Math.floorMod(minute.toEpochMilli(), MinuteSpan.MINUTE.toMillis()) != 0) {
            throw new IllegalArgumentException("Invalid minute %s: must be the begin of a minute.".formatted(minute));
        }
    }
}
