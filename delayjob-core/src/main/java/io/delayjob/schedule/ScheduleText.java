package io.delayjob.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts schedules to text and back:
 *
 * <pre>
 * gaps:PT1S,PT2S,PT5S                       each gap once
 * gaps:PT1S,PT5S*                           all gaps in an endless cycle
 * every:PT10S                               one gap, for ever
 * every:P1M@Europe/Berlin                   a period of the calendar
 * offsets:PT1H,PT24H,PT72H
 * growing:PT30S*2&lt;=PT1H
 * cron:0 0 3 * * *@Europe/Berlin
 * …;times=5;until=2030-01-01T00:00:00Z;jitter=PT5S;starting=2029-01-01T00:00:00Z;misfire=SKIP
 * </pre>
 */
final class ScheduleText {

    private ScheduleText() {}

    static String format(Sequence sequence) {
        Options options = sequence.options();
        StringBuilder text = new StringBuilder(sequence.rule().toText());
        append(text, "times", options.times());
        append(text, "until", options.until());
        append(text, "jitter", options.jitter().isZero() ? null : options.jitter());
        append(text, "starting", options.starting());
        append(text, "misfire", options.misfire());
        return text.toString();
    }

    private static void append(StringBuilder text, String option, @Nullable Object value) {
        if (value != null) {
            text.append(';').append(option).append('=').append(value);
        }
    }

    static Repeat parse(String text) {
        Objects.requireNonNull(text, "text");
        try {
            StoredText stored = StoredText.split(text);
            return new Repeat(new Sequence(rule(stored.kind(), stored.body()), options(stored)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Invalid schedule '" + text + "': " + e.getMessage(), e);
        }
    }

    private static Rule rule(String kind, String body) {
        return switch (kind) {
            case "gaps" -> gaps(body);
            case "every" -> body.indexOf('@') < 0 ? Gaps.every(DurationText.parse(body)) : calendarPeriod(body);
            case "offsets" -> Offsets.of(StoredText.durations(body));
            case "growing" -> new GrowingGaps(Growth.parse(body));
            case "cron" -> Cron.of(beforeZone(body), zone(body));
            default ->
                throw new IllegalArgumentException("'" + kind
                        + "' is not a kind of schedule: must be gaps, every, offsets, growing or cron, and "
                        + "a colon");
        };
    }

    private static Rule gaps(String body) {
        return body.endsWith("*")
                ? Gaps.endless(StoredText.durations(body.substring(0, body.length() - 1)))
                : Gaps.finite(StoredText.durations(body));
    }

    private static Rule calendarPeriod(String body) {
        String period = beforeZone(body);
        try {
            return new CalendarPeriod(Period.parse(period), zone(body));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + period + "' is not a period: must look like P1M or P1Y2M3D", e);
        }
    }

    /** A cron expression may contain an @, but a zone never contains one. */
    private static String beforeZone(String body) {
        int at = body.lastIndexOf('@');
        if (at <= 0) {
            throw new IllegalArgumentException(
                    "'" + body + "' lacks a time zone: must end with a zone, such as @Europe/Berlin");
        }
        return body.substring(0, at);
    }

    private static ZoneId zone(String body) {
        String zone = body.substring(body.lastIndexOf('@') + 1);
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + zone + "' is not a known time zone: must look like Europe/Berlin, +01:00 or Z", e);
        }
    }

    private static Options options(StoredText stored) {
        Options options = new Options(
                stored.take("times", StoredText::integer).orElse(null),
                stored.take("until", ScheduleText::instant).orElse(null),
                stored.take("jitter", DurationText::parse).orElse(Duration.ZERO),
                stored.take("starting", ScheduleText::instant).orElse(null),
                stored.take("misfire", ScheduleText::misfire).orElse(null));
        stored.refuseRemaining("times, until, jitter, starting, misfire");
        return options;
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not an instant: must look like 2030-01-01T00:00:00Z", e);
        }
    }

    private static MisfirePolicy misfire(String text) {
        return Arrays.stream(MisfirePolicy.values())
                .filter(policy -> policy.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "' is not a misfire policy: must be one of " + List.of(MisfirePolicy.values())));
    }
}
