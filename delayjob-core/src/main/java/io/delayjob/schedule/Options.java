package io.delayjob.schedule;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code null} means that an option is not set. */
record Options(
        @Nullable Integer times,
        @Nullable Instant until,
        Duration jitter,
        @Nullable Instant starting,
        @Nullable MisfirePolicy misfire) {

    static final Options NONE = new Options(null, null, Duration.ZERO, null, null);

    Options {
        if (times != null && times < 1) {
            throw new IllegalArgumentException(
                    "Invalid number of times (" + times + "): must be at least 1; leave it out for no limit");
        }
        until = until == null ? null : Timeline.roundDown("until", until);
        jitter = Spans.notNegative("jitter", jitter);
        starting = starting == null ? null : Timeline.roundUp("starting", starting);
    }

    Options withTimes(int times) {
        return new Options(times, until, jitter, starting, misfire);
    }

    Options withUntil(Instant until) {
        return new Options(times, until, jitter, starting, misfire);
    }

    Options withJitter(Duration jitter) {
        return new Options(times, until, jitter, starting, misfire);
    }

    Options withStarting(Instant starting) {
        return new Options(times, until, jitter, starting, misfire);
    }

    Options withMisfire(MisfirePolicy misfire) {
        return new Options(times, until, jitter, starting, misfire);
    }
}
