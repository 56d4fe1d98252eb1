package io.delayjob.actuate.endpoint;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job, without its stack trace. The fields are those of {@link Job}, ids as text.
 *
 * @param instance number of the instance that runs it; absent if none does
 * @param lateMillis time from the due time to the call of the handler, in the attempt that ended the job; absent if
 *     no call ended it
 * @param errorType type of the failure, as {@code error=} takes it
 * @param paused whether its handler or its queue is paused, so that no attempt of it starts
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
        @Nullable String payload) {

    /** @param showsPayload whether the caller may see what the handler is called with */
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
                showsPayload ? job.payload() : null);
    }

    /** How long after its due time a handler was called; {@code null} if it was not called, or that is unknown. */
    static @Nullable Long lateMillis(@Nullable Instant due, @Nullable Instant called) {
        return due == null || called == null
                ? null
                : Duration.between(due, called).toMillis();
    }
}
