package io.delayjob.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the header {@code Retry-After}, which contains a number of seconds or a date. */
final class RetryAfter {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final DateTimeFormatter DATE = DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.US);

    private RetryAfter() {}

    /**
     * Returns one second or more. The result is empty if the header is missing or unreadable, or if the delay is longer
     * than a year.
     */
    static Optional<Duration> parse(@Nullable String header, Instant now) {
        if (header == null) {
            return Optional.empty();
        }
        String text = header.strip();
        Duration delay;
        try {
            delay = text.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(text))
                    : Duration.between(now, Instant.from(DATE.parse(text)));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
        if (delay.compareTo(LONGEST) > 0) {
            return Optional.empty();
        }
        return Optional.of(delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay);
    }

    /**
     * Adds up to a tenth to the delay, so that jobs that were refused together are not retried together. The added part
     * depends only on {@code seed}.
     */
    static Duration spread(Duration delay, int seed) {
        int mixed = seed * 0x9E3779B9;
        long share = Math.floorMod(mixed ^ mixed >>> 16, 1024);
        return delay.plus(delay.dividedBy(10).multipliedBy(share).dividedBy(1024));
    }
}
