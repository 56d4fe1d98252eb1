package io.delayjob.rest;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time of a job. At most one of the fields is set.
 *
 * @param after time from now, as an ISO-8601 duration such as PT30M
 * @param at instant in ISO-8601, such as 2030-01-01T00:00:00Z
 */
record TimeRequest(@Nullable String after, @Nullable String at) implements ApiBody {

    static final TimeRequest NONE = new TimeRequest(null, null);

    @Nullable
    Duration duration() {
        return after == null ? null : duration(Problem.INVALID_JOB, "after", after);
    }

    @Nullable
    Instant instant() {
        return at == null ? null : instant(at);
    }

    static Duration duration(Problem.Kind problem, String field, String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException unreadable) {
            throw problem.of(
                    "Invalid %s '%s': must be a duration in ISO-8601, such as PT30M or P7D.".formatted(field, text));
        }
    }

    static Instant instant(String at) {
        try {
            return Instant.parse(at);
        } catch (DateTimeException unreadable) {
            throw Problem.INVALID_JOB.of(
                    "Invalid value '%s' of 'at': must be an instant in ISO-8601 and UTC, such as 2030-01-01T00:00:00Z."
                            .formatted(at));
        }
    }
}
