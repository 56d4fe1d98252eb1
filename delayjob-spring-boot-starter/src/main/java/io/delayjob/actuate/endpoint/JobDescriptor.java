package io.delayjob.actuate.endpoint;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job, without the stack trace of its failure. Fields without a value are absent.
 *
 * @param lateMillis time from the due time to the call of the handler, for the attempt that ended the job
 * @param expiresAt latest start of an attempt of this run; absent if the handler's expiry applies
 * @param keptUntil time until which a finished job is kept; absent if the general time applies
 */
record JobDescriptor(
        String id,
        String name,
        @Nullable String key,
        String queue,
        int partition,
        JobState state,
        Instant scheduledAt,
        Instant plannedAt,
        Instant dueAt,
        int run,
        int attempt,
        int failures,
        int rescues,
        int inDoubt,
        boolean cancelRequested,
        boolean paused,
        @Nullable Instant awaitedUntil,
        @Nullable Instant expiresAt,
        @Nullable Instant keptUntil,
        @Nullable String mutex,
        @Nullable String rateKey,
        @Nullable String fairKey,
        @Nullable String group,
        @Nullable String followsGroup,
        @Nullable String schedule,
        @Nullable String retry,
        @Nullable String trace,
        @Nullable Long instance,
        @Nullable Instant startedAt,
        @Nullable Instant calledAt,
        @Nullable Long lateMillis,
        @Nullable Instant endedAt,
        @Nullable String error,
        @Nullable String errorType,
        @Nullable String payload,
        @Nullable String result,
        @Nullable String resultMissing,
        @Nullable List<String> labels) {

    static JobDescriptor of(Job job, Pauses pauses, boolean showsPayload) {
        Failure failure = job.failure();
        return new JobDescriptor(
                job.id().toString(),
                job.name(),
                job.key(),
                job.partition().queue(),
                job.partition().index(),
                job.state(),
                job.scheduledAt(),
                job.plannedAt(),
                job.dueAt(),
                job.run(),
                job.attempt(),
                job.failures(),
                job.rescues(),
                job.inDoubt(),
                job.cancelRequested(),
                pauses.hold(job),
                job.state() == JobState.AWAITING ? job.dueAt() : null,
                job.expiresAt(),
                job.keptUntil(),
                job.mutex(),
                job.rateKey(),
                job.fairKey(),
                job.extras().groupName(),
                job.extras().followsGroup(),
                job.schedule(),
                job.retry(),
                job.trace(),
                job.owner() == 0 ? null : job.owner(),
                job.startedAt(),
                job.calledAt(),
                lateMillis(job.dueAt(), job.calledAt()),
                job.endedAt(),
                failure == null ? null : failure.toString(),
                failure == null ? null : failure.type(),
                showsPayload ? job.payload() : null,
                showsPayload ? job.result() : null,
                job.extras().resultMissing(),
                job.labels().isEmpty() ? null : job.labels());
    }

    static @Nullable Long lateMillis(@Nullable Instant due, @Nullable Instant called) {
        return due == null || called == null
                ? null
                : Duration.between(due, called).toMillis();
    }
}
