package io.delayjob.store;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * Contains the failed jobs of a span of time, grouped by handler and type of failure.
 *
 * @param groups the groups, the largest group first; at most {@value #MAX_GROUPS}. Jobs without a stored failure are in
 *     no group
 * @param lookedAt number of failed jobs that were read. These are the newest failed jobs of the span
 * @param complete whether all failed jobs of the span were read
 */
public record FailureGroups(List<FailureGroup> groups, int lookedAt, boolean complete) {

    /** Maximum number of groups. */
    public static final int MAX_GROUPS = 100;

    public FailureGroups {
        groups = List.copyOf(groups);
    }

    /**
     * Groups failed jobs.
     *
     * @param newestFirst the jobs that were read, beginning with the job that ended last
     * @param complete whether {@code newestFirst} contains every failed job of the span
     */
    public static FailureGroups of(List<Job> newestFirst, Span span, boolean complete) {
        record Kind(String name, String errorType) {}
        Map<Kind, List<Job>> kinds = new HashMap<>();
        for (Job job : newestFirst) {
            Failure failure = job.failure();
            if (failure != null) {
                kinds.computeIfAbsent(new Kind(job.name(), failure.type()), kind -> new ArrayList<>())
                        .add(job);
            }
        }
        List<FailureGroup> groups = kinds.values().stream()
                .map(jobs -> groupOf(jobs, span))
                .sorted(Comparator.comparingLong(FailureGroup::count).reversed())
                .limit(MAX_GROUPS)
                .toList();
        return new FailureGroups(groups, newestFirst.size(), complete);
    }

    private static FailureGroup groupOf(List<Job> newestFirst, Span span) {
        long[] buckets = new long[span.buckets()];
        newestFirst.forEach(job -> buckets[span.bucketOf(endOf(job).toEpochMilli())]++);
        Job newest = newestFirst.get(0);
        Failure failure = Objects.requireNonNull(newest.failure());
        return new FailureGroup(
                newest.name(),
                failure.type(),
                newestFirst.size(),
                endOf(newestFirst.get(newestFirst.size() - 1)),
                endOf(newest),
                LongStream.of(buckets).boxed().toList(),
                newest.id(),
                failure.message());
    }

    private static Instant endOf(Job job) {
        return Objects.requireNonNull(job.endedAt());
    }

    /**
     * Selects the failed jobs that ended after {@code since}, but not later than {@code until}.
     *
     * @param buckets number of equal parts of the span, at least 1
     */
    public record Span(Instant since, Instant until, int buckets) {

        public Span {
            if (!since.isBefore(until)) {
                throw new IllegalArgumentException(
                        "Invalid span from %s to %s: must end later than it begins.".formatted(since, until));
            }
        }

        /** Returns the length of a bucket in milliseconds, rounded up. */
        public long widthMillis() {
            long millis = until.toEpochMilli() - since.toEpochMilli();
            return Math.max(1, (millis + buckets - 1) / buckets);
        }

        /** Returns the index of the bucket for a job that ended at this time. The time must be within the span. */
        public int bucketOf(long endMillis) {
            return (int) Math.min(buckets - 1, (endMillis - since.toEpochMilli() - 1) / widthMillis());
        }
    }
}
