package io.delayjob.store;

import io.delayjob.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes the jobs of one handler that failed with the same type of failure.
 *
 * @param first the time at which the first of these jobs ended
 * @param last the time at which the last of these jobs ended
 * @param buckets the number of these jobs in each bucket of the {@link FailureGroups.Span}
 * @param newest the job that ended last
 * @param message the message of the newest failure
 */
public record FailureGroup(
        String name,
        String errorType,
        long count,
        Instant first,
        Instant last,
        List<Long> buckets,
        JobId newest,
        @Nullable String message) {

    public FailureGroup {
        buckets = List.copyOf(buckets);
    }
}
