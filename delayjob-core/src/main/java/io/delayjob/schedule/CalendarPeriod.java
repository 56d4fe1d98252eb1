package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a job after a period of days, months or years. Step k is the local time of the origin plus k periods.
 * Therefore, one month after January 31 is the end of February, and two months after January 31 is March 31. If a zone
 * skips a whole day, two steps may have the same instant. These two steps have only one run.
 */
record CalendarPeriod(Period period, ZoneId zone) implements Rule.Zoned {

    private static final double DAYS_PER_MONTH = 146_097 / 4_800.0;
    private static final double MILLIS_PER_DAY = 86_400_000;
    private static final Duration DAY = Duration.ofDays(1);

    /** Daylight saving time and the lengths of months may make the estimate too high by this number of steps. */
    private static final int MAX_OVERESTIMATE = 2;

    CalendarPeriod {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("Invalid period (" + period
                    + "): must be positive and have no negative part; state for example Period.ofMonths(1)");
        }
        if (period.toTotalMonths() > 9_999 * 12 || period.getDays() > Spans.MAX.toDays()) {
            throw new IllegalArgumentException("Invalid period (" + period
                    + "): must be at most 9,999 years (3,652,059 days); state a shorter period");
        }
    }

    @Override
    public Zoned in(ZoneId zone) {
        return new CalendarPeriod(period, zone);
    }

    @Override
    public long next(long origin, int run, long planned) {
        ZonedDateTime anchor = Instant.ofEpochMilli(origin).atZone(zone);
        return at(anchor, firstStepAfter(anchor, planned));
    }

    /**
     * If the zone skips a day, a step may have no run of its own. Then the steps cannot be counted as runs, so this
     * method returns {@code null}.
     */
    @Override
    public @Nullable Stride strideTo(long origin, long planned, long horizon, int most) {
        if (skipsADay(planned, horizon)) {
            return null;
        }
        ZonedDateTime anchor = Instant.ofEpochMilli(origin).atZone(zone);
        long first = firstStepAfter(anchor, planned);
        long runs = Math.min(firstStepAfter(anchor, horizon) - first, most);
        return runs < 1 ? null : new Stride((int) runs, at(anchor, first + runs - 1) - planned);
    }

    private boolean skipsADay(long from, long to) {
        return zone.getRules().getTransitions().stream()
                .filter(change -> change.getDuration().compareTo(DAY) >= 0)
                .mapToLong(change -> change.getInstant().toEpochMilli())
                .anyMatch(change -> change >= from - DAY.toMillis() && change <= to + DAY.toMillis());
    }

    private long firstStepAfter(ZonedDateTime anchor, long instant) {
        long elapsed = instant - anchor.toInstant().toEpochMilli();
        long step = Math.max(1, estimatedSteps(elapsed) - MAX_OVERESTIMATE);
        while (at(anchor, step) <= instant) {
            step++;
        }
        return step;
    }

    @Override
    public String toText() {
        return "every:" + period + "@" + zone.getId();
    }

    /** The error of the estimate is small, because the lengths of months repeat every 400 years. */
    private long estimatedSteps(long elapsed) {
        return (long) (elapsed / MILLIS_PER_DAY / (period.toTotalMonths() * DAYS_PER_MONTH + period.getDays()));
    }

    private long at(ZonedDateTime anchor, long step) {
        LocalDateTime local = anchor.toLocalDateTime()
                .plusMonths(step * period.toTotalMonths())
                .plusDays(step * period.getDays());
        // If the local time occurs twice, atZone returns the earlier time, and ignores the offset of the anchor.
        return local.atZone(zone).toInstant().toEpochMilli();
    }
}
