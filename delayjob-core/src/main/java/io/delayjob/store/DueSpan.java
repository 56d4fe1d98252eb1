package io.delayjob.store;

import java.time.Duration;
import java.time.Instant;

/**
 * Describes a span of time that is divided into equal buckets.
 *
 * @param width length of a bucket, in whole milliseconds, at least 1 ms
 * @param buckets number of buckets, 1 to {@value #MAX_BUCKETS}
 */
public record DueSpan(Instant from, Duration width, int buckets) {

    /** Maximum number of buckets. */
    public static final int MAX_BUCKETS = 168;

    public DueSpan {
        if (width.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "Invalid bucket width %s: must be at least 1 ms; choose a second or more.".formatted(width));
        }
        if (buckets < 1 || buckets > MAX_BUCKETS) {
            throw new IllegalArgumentException(
                    "Invalid number of buckets %d: must be from 1 to %d; choose wider buckets for a longer span."
                            .formatted(buckets, MAX_BUCKETS));
        }
    }

    /** Returns the end of the span, exclusive, in milliseconds since the epoch. */
    public long untilMillis() {
        return from.toEpochMilli() + width.toMillis() * buckets;
    }

    /** Returns the beginning of a bucket, in milliseconds since the epoch. */
    public long beginMillis(int bucket) {
        return from.toEpochMilli() + width.toMillis() * bucket;
    }

    /** Returns the bucket of a time within the span. */
    public int bucketOf(long dueMillis) {
        return (int) ((dueMillis - from.toEpochMilli()) / width.toMillis());
    }
}
