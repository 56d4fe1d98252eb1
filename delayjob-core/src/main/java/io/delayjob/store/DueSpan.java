package io.delayjob.store;

import java.time.Duration;
import java.time.Instant;

/**
 * A span of time in equal buckets, in which jobs come due.
 *
 * @param from where the first bucket begins
 * @param width width of a bucket, whole milliseconds, at least 1 ms
 * @param buckets number of buckets, 1 to {@value #MAX_BUCKETS}
 */
public record DueSpan(Instant from, Duration width, int buckets) {

    /** Maximum number of buckets. */
    public static final int MAX_BUCKETS = 168;

    public DueSpan {
        if (width.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "Invalid width %s of a bucket: must be at least 1 ms; take a second or more.".formatted(width));
        }
        if (buckets < 1 || buckets > MAX_BUCKETS) {
            throw new IllegalArgumentException(
                    "Invalid number of buckets %d: must be from 1 to %d; take wider ones for a longer span."
                            .formatted(buckets, MAX_BUCKETS));
        }
    }

    /** Where the span ends, in milliseconds since the epoch; that time is no part of it. */
    public long untilMillis() {
        return from.toEpochMilli() + width.toMillis() * buckets;
    }

    /** Where a bucket begins, in milliseconds since the epoch. */
    public long beginMillis(int bucket) {
        return from.toEpochMilli() + width.toMillis() * bucket;
    }

    /** The bucket of a time within the span. */
    public int bucketOf(long dueMillis) {
        return (int) ((dueMillis - from.toEpochMilli()) / width.toMillis());
    }
}
