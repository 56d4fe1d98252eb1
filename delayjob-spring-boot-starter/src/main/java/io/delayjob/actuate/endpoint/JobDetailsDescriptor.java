package io.delayjob.actuate.endpoint;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One job and what became of it.
 *
 * @param job the job
 * @param stackTrace that of its failure
 * @param attempts its logged attempts, newest first
 */
record JobDetailsDescriptor(JobDescriptor job, @Nullable String stackTrace, List<AttemptDescriptor> attempts)
        implements OperationResponseBody {

    static JobDetailsDescriptor of(Job job, Pauses pauses, List<AttemptRecord> attempts, boolean showsPayload) {
        Failure failure = job.failure();
        return new JobDetailsDescriptor(
                JobDescriptor.of(job, pauses, showsPayload),
                failure == null ? null : failure.stackTrace(),
                attempts.stream().map(AttemptDescriptor::of).toList());
    }

    /** An attempt; the fields are those of {@link AttemptRecord}. */
    record AttemptDescriptor(
            int run,
            int attempt,
            String outcome,
            long instance,
            @Nullable Instant startedAt,
            Instant endedAt,
            @Nullable String error) {

        static AttemptDescriptor of(AttemptRecord attempt) {
            Failure failure = attempt.failure();
            return new AttemptDescriptor(
                    attempt.run(),
                    attempt.attempt(),
                    attempt.outcome(),
                    attempt.owner(),
                    attempt.startedAt(),
                    attempt.endedAt(),
                    failure == null ? null : failure.toString());
        }
    }
}
