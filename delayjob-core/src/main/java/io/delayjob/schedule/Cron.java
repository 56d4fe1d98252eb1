package io.delayjob.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Computes the matches of a cron expression. Each match is later than the previous run, even if the local time was set
 * back.
 */
final class Cron implements Rule.Zoned {

    /** No time zone has ever been set back by more than one day. */
    private static final int MAX_MINUTES_BACK = 24 * 60;

    private final String expression;
    private final ZoneId zone;
    private final CronSequence sequence;

    Cron(String expression, ZoneId zone, CronSequence sequence) {
        this.expression = expression;
        this.zone = zone;
        this.sequence = sequence;
    }

    static Cron of(String expression, ZoneId zone) {
        String trimmed = expression.strip();
        if (trimmed.isEmpty() || trimmed.chars().anyMatch(c -> c == ';' || Character.isISOControl(c))) {
            throw new IllegalArgumentException(
                    "Invalid cron expression '" + expression
                            + "': must not be blank or contain semicolons or control characters; state for example 0 0 3 * * *");
        }
        return new Cron(trimmed, zone, read(trimmed));
    }

    private static CronSequence read(String expression) {
        CronParser parser = CronParsers.required(expression);
        try {
            return parser.parse(expression);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Invalid cron expression '" + expression + "': " + e.getMessage(), e);
        }
    }

    @Override
    public Zoned in(ZoneId other) {
        return new Cron(expression, other, sequence);
    }

    @Override
    public long firstFrom(long start) {
        return firstAfter(start - 1);
    }

    @Override
    public long next(long origin, int run, long planned) {
        return firstAfter(planned);
    }

    /**
     * Near a change of the local time, the binary search may stop too early. The last loop then finds the remaining
     * matches.
     */
    @Override
    public long latest(long planned, long horizon) {
        long latest = planned;
        long noneAfter = horizon;
        while (noneAfter - latest > 1) {
            long middle = latest + (noneAfter - latest) / 2;
            long match = firstAfter(middle);
            if (match <= horizon) {
                latest = match;
            } else {
                noneAfter = middle;
            }
        }
        for (long match = firstAfter(latest); match <= horizon; match = firstAfter(latest)) {
            latest = match;
        }
        return latest;
    }

    @Override
    public String toText() {
        return "cron:" + expression + "@" + zone.getId();
    }

    /**
     * Cron libraries search by local time. If the local time was set back, a library may return a match before the
     * given time.
     */
    private long firstAfter(long instant) {
        ZonedDateTime from = Instant.ofEpochMilli(instant).atZone(zone);
        for (int minute = 0; minute <= MAX_MINUTES_BACK; minute++) {
            @Nullable ZonedDateTime match = sequence.next(from.plusMinutes(minute));
            long millis = match == null ? Timeline.NEVER : Timeline.ceil("cron match", match.toInstant());
            if (millis > instant) {
                return millis;
            }
        }
        throw new IllegalStateException("The matches of " + this + " do not advance beyond " + from
                + ": each must be later than the given time; correct the implementation of "
                + CronSequence.class.getName());
    }

    @Override
    public String toString() {
        return toText();
    }
}
