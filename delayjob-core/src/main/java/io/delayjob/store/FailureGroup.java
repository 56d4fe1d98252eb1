package io.delayjob.store;

import io.delayjob.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of one handler that failed for the same reason.
 *
 * @param name the handler's name
 * @param errorType type of their failures
 * @param count number of jobs
 * @param first when the first of them ended
 * @param last when the last of them ended
 * @param buckets their number in each bucket of the span
 * @param newest the job that ended last
 * @param message message of its failure
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
