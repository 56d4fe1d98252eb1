package io.delayjob.store;

import java.time.Instant;
import java.util.List;

/**
 * The failed jobs of a span, by handler and type of failure.
 *
 * @param groups the groups, the largest first, at most {@value #MAX_GROUPS}; a job without a failure is in none
 * @param lookedAt number of failed jobs that were read, which are the newest of the span
 * @param complete whether all failed jobs of the span were read
 */
public record FailureGroups(List<FailureGroup> groups, int lookedAt, boolean complete) {

    /** Maximum number of groups. */
    public static final int MAX_GROUPS = 100;

    public FailureGroups {
        groups = List.copyOf(groups);
    }

    /**
     * The failed jobs that ended later than {@code since} and no later than {@code until}.
     *
     * @param buckets number of equal parts of the span in which jobs are counted, at least 1
     */
    public record Span(Instant since, Instant until, int buckets) {

        public Span {
            if (!since.isBefore(until)) {
                throw new IllegalArgumentException(
                        "Invalid span from %s to %s: must end later than it begins.".formatted(since, until));
            }
        }

        /** Returns the width of a bucket in milliseconds, rounded up. */
        public long widthMillis() {
            long millis = until.toEpochMilli() - since.toEpochMilli();
            return Math.max(1, (millis + buckets - 1) / buckets);
        }

        /** Returns the bucket of an end within the span. */
        public int bucketOf(long endMillis) {
            return (int) Math.min(buckets - 1, (endMillis - since.toEpochMilli() - 1) / widthMillis());
        }
    }
}
