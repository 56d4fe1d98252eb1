package io.delayjob.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.job.ScheduledChain;
import java.util.List;

/**
 * The response to a request that schedules a job.
 *
 * @param id id of the new job, or of the existing job with the same key or Idempotency-Key
 * @param followers ids of the jobs that follow the job in its chain, in the order of the chain; absent for an existing
 *     job with the same key, because that job keeps its own chain
 */
record SubmittedJob(
        String id,
        Scheduled.Outcome outcome,
        JobState state,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> followers)
        implements ApiBody {

    static SubmittedJob of(ScheduledChain chain) {
        Scheduled first = chain.first();
        return new SubmittedJob(
                first.id().toString(),
                first.outcome(),
                first.state(),
                chain.followers().stream().map(JobId::toString).toList());
    }
}
