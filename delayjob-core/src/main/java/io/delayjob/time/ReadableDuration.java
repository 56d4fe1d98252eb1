package io.delayjob.time;

import java.time.Duration;

/** Writes durations for people, in logs and messages: {@code 350 ms}, {@code 12.3 s}, {@code 2 min 5 s}. */
public final class ReadableDuration {

    private ReadableDuration() {}

    /** Returns the duration in at most two units. Smaller units are left out, without rounding. */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            return "-" + of(duration.negated());
        }
        if (duration.toSeconds() == 0) {
            return duration.toMillis() + " ms";
        }
        if (duration.toMinutes() == 0) {
            int tenths = duration.toMillisPart() / 100;
            return duration.toSeconds() + (tenths == 0 ? "" : "." + tenths) + " s";
        }
        if (duration.toHours() == 0) {
            return two(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
        }
        return duration.toDays() == 0
                ? two(duration.toHours(), "h", duration.toMinutesPart(), "min")
                : two(duration.toDays(), "d", duration.toHoursPart(), "h");
    }

    private static String two(long many, String unit, int few, String smallerUnit) {
        return many + " " + unit + (few == 0 ? "" : " " + few + " " + smallerUnit);
    }
}
