package io.delayjob.store;

import java.time.Duration;
import java.time.Instant;

/**
 * Describes a span of past time that is divided into equal buckets of whole minutes.
 *
 * @param from start of the first bucket, which is the start of a minute
 * @param width length of a bucket: whole minutes, at least one minute
 * @param buckets number of buckets, 1 to {@value #MAX_BUCKETS}
 */
public record MinuteSpan(Instant from, Duration width, int buckets) {

    /** Maximum number of buckets. */
    public static final int MAX_BUCKETS = DueSpan.MAX_BUCKETS;

    static final Duration MINUTE = Duration.ofMinutes(1);

    public MinuteSpan {
        if (!isWhole(Duration.between(Instant.EPOCH, from))) {
            throw new IllegalArgumentException(
                    "Invalid start %s of a span of minutes: must be the start of a minute.".formatted(from));
        }
        if (!isWhole(width) || width.compareTo(MINUTE) < 0) {
            throw new IllegalArgumentException(
                    "Invalid bucket width %s: must be whole minutes, at least one minute.".formatted(width));
        }
        if (buckets < 1 || buckets > MAX_BUCKETS) {
            throw new IllegalArgumentException(
                    "Invalid number of buckets %d: must be from 1 to %d; choose wider buckets for a longer span."
                            .formatted(buckets, MAX_BUCKETS));
        }
    }

    private static boolean isWhole(Duration duration) {
        return duration.equals(Duration.ofMinutes(duration.toMinutes()));
    }

    /** Returns the end of the span, exclusive. */
    public Instant until() {
        return from.plus(width.multipliedBy(buckets));
    }

    /** Tells whether the minute that begins at this time is in the span. */
    public boolean contains(Instant minute) {
        return !minute.isBefore(from) && minute.isBefore(until());
    }

    /** Returns the number of the bucket that contains this minute. The minute must be in the span. */
    public int bucketOf(Instant minute) {
        return (int) ((minute.toEpochMilli() - from.toEpochMilli()) / width.toMillis());
    }
}
