package io.delayjob.handler;

import io.delayjob.job.Printable;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many attempts may start in a period, on all instances together. The limit is a token bucket. Immutable.
 *
 * <pre>{@code
 * RateLimit.of("100/s").burst(20)     // within any second at most 121 starts on one instance
 * }</pre>
 *
 * Each instance gets a part of the rate and of the burst, in proportion to the number of its leases. Together, n
 * instances start at most {@code burst + rate * t + n} attempts within any time t.
 *
 * @param starts number of attempts that may start in each period, 1 to {@value #MAX_STARTS}
 * @param burst number of additional attempts that may start together after a time without starts, 1 to {@value
 *     #MAX_STARTS}
 */
public record RateLimit(int starts, Unit unit, int burst) {

    /** Maximum number of starts in a period, and maximum burst. */
    public static final int MAX_STARTS = 1_000_000;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,7})/(s|min|h|d)");
    private static final long DEFAULT_BURST_MILLIS = 100;

    /** The period of a rate. */
    public enum Unit {
        SECOND("s", Duration.ofSeconds(1)),
        MINUTE("min", Duration.ofMinutes(1)),
        HOUR("h", Duration.ofHours(1)),
        DAY("d", Duration.ofDays(1));

        private final String sign;
        private final Duration length;

        Unit(String sign, Duration length) {
            this.sign = sign;
            this.length = length;
        }

        private static Unit of(String sign) {
            for (Unit unit : values()) {
                if (unit.sign.equals(sign)) {
                    return unit;
                }
            }
            throw new AssertionError("The pattern admits no unit " + sign);
        }
    }

    public RateLimit {
        Stated.notNull(unit, "unit of a rate", "must be SECOND, MINUTE, HOUR or DAY");
        if (starts < 1 || starts > MAX_STARTS) {
            throw new IllegalArgumentException(
                    "Invalid rate %d/%s: must be from 1 to %d starts; to start nothing, pause the handler or queue."
                            .formatted(starts, unit.sign, MAX_STARTS));
        }
        if (burst < 1 || burst > MAX_STARTS) {
            throw new IllegalArgumentException(
                    "Invalid burst %d of rate %d/%s: must be from 1 to %d starts; leave it out for the number of starts in 100 ms."
                            .formatted(burst, starts, unit.sign, MAX_STARTS));
        }
    }

    /**
     * Reads a rate such as {@code 100/s}, {@code 30/min}, {@code 5000/h} or {@code 10/d}. The burst is the number of
     * starts that the rate allows in 100 ms, but at least 1.
     *
     * @throws IllegalArgumentException if the text is no rate
     */
    public static RateLimit of(String text) {
        Stated.notNull(text, "rate", "must be a text such as 100/s");
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "Invalid rate '%s': must be a whole number of starts and, without a space, a unit (/s, /min, /h or /d), such as 100/s, 30/min or 5000/h. Leave it out for no limit."
                            .formatted(Printable.of(text)));
        }
        int starts = Integer.parseInt(parts.group(1));
        Unit unit = Unit.of(parts.group(2));
        return new RateLimit(starts, unit, (int) Math.max(1, starts * DEFAULT_BURST_MILLIS / unit.length.toMillis()));
    }

    /**
     * Reads a rate with its burst. The burst may be missing.
     *
     * @return the rate; {@code null} if it is missing
     * @throws IllegalArgumentException if the rate or the burst is invalid, or if there is a burst without a rate
     */
    public static @Nullable RateLimit of(@Nullable String text, @Nullable Integer burst) {
        if (text == null && burst != null) {
            throw new IllegalArgumentException(
                    "Invalid burst %d: must come with a rate. State a rate such as 100/s, or remove the burst."
                            .formatted(burst));
        }
        return text == null ? null : burst == null ? of(text) : of(text).burst(burst);
    }

    static void checkBy(@Nullable KeyRule rateBy, @Nullable RateLimit rate, String handler) {
        if (rateBy != null && rate == null) {
            throw new IllegalArgumentException(
                    "Invalid rateBy of handler '%s': must come with a rate, which applies to each key. State a rate such as 10/s, or remove rateBy."
                            .formatted(handler));
        }
    }

    /** Returns a copy of this rate with another burst. */
    public RateLimit burst(int burst) {
        return new RateLimit(starts, unit, burst);
    }

    /** Returns the number of starts per nanosecond. */
    public double startsPerNano() {
        return (double) starts / unit.length.toNanos();
    }

    /** Returns the text form, such as {@code 100/s, burst 20}. */
    @Override
    public String toString() {
        return "%d/%s, burst %d".formatted(starts, unit.sign, burst);
    }
}
