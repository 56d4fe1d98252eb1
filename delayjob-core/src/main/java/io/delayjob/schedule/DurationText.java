package io.delayjob.schedule;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads durations from texts, such as attributes of annotations. The text is a whole number and a unit ({@code 500ms},
 * {@code 10s}, {@code 1m}, {@code 2h}, {@code 1d}), or an ISO-8601 duration ({@code PT10S}). A day has 24 hours.
 */
public final class DurationText {

    private static final Pattern SIMPLE = Pattern.compile("(\\d+)(ms|s|m|h|d)");

    private DurationText() {}

    /**
     * Reads a duration of zero or more whole milliseconds.
     *
     * @throws IllegalArgumentException if the text is not such a duration, or is longer than 9,999 years
     */
    public static Duration parse(String text) {
        Stated.notNull(text, "duration", "must be a text such as 10s or PT10S");
        return Spans.notNegative("duration '" + text + "'", read(text));
    }

    private static Duration read(String text) {
        try {
            Matcher simple = SIMPLE.matcher(text);
            return simple.matches() ? simple(Long.parseLong(simple.group(1)), simple.group(2)) : Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "Invalid duration '" + text
                            + "': must be a whole number and, without a space, a unit (ms, s, m, h or d), such as "
                            + "500ms or 10s; or ISO-8601, such as PT10S",
                    e);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Invalid duration '" + text
                            + "': must be at most 9,999 years (3,652,059 days); state a shorter duration",
                    e);
        }
    }

    private static Duration simple(long number, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> throw new AssertionError("The pattern admits no unit " + unit);
        };
    }
}
