package io.delayjob.rest;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobState;
import io.delayjob.store.Vitals;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A job as callers see it. The arguments, the result, the log and the message of the failure are absent if payloads are
 * not shown.
 *
 * @param expiresAt latest time at which an attempt of this run may start, if the job states its own expiry
 * @param group name of the job's group, if this name is exposed
 * @param failure type of the failure, usually the name of an exception's class
 * @param resultMissing reason why the result was not kept, if payloads are shown
 * @param progress the progress of the running attempt; absent in a list of jobs
 * @param log newest log lines; they come from the latest attempt that has log lines; in a list of jobs, log lines of
 *     running attempts are left out
 */
record JobView(
        String id,
        String name,
        @Nullable String key,
        String queue,
        JobState state,
        Instant scheduledAt,
        Instant plannedAt,
        Instant dueAt,
        int run,
        int attempt,
        int failures,
        boolean cancelRequested,
        @Nullable String repeat,
        @Nullable String retry,
        @Nullable Instant expiresAt,
        @Nullable String mutex,
        @Nullable String rateKey,
        @Nullable String fairKey,
        @Nullable String group,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String failure,
        @Nullable String message,
        @Nullable JsonNode arguments,
        @Nullable JsonNode result,
        @Nullable String resultMissing,
        @Nullable ProgressView progress,
        @Nullable JobLog log,
        List<String> labels)
        implements ApiBody {

    /** @param payloads reads payloads; {@code null} if payloads are not shown */
    static JobView of(Job job, ExposedJobs exposed, @Nullable JsonMapper payloads) {
        return of(job, exposed, payloads, null, job.log());
    }

    static JobView of(
            Job job,
            ExposedJobs exposed,
            @Nullable JsonMapper payloads,
            Vitals.@Nullable Progress progress,
            @Nullable JobLog log) {
        Failure failure = job.failure();
        String group = job.extras().groupName();
        return new JobView(
                job.id().toString(),
                job.name(),
                job.key(),
                job.partition().queue(),
                job.state(),
                job.scheduledAt(),
                job.plannedAt(),
                job.dueAt(),
                job.run(),
                job.attempt(),
                job.failures(),
                job.cancelRequested(),
                job.schedule(),
                job.retry(),
                job.expiresAt(),
                job.mutex(),
                job.rateKey(),
                job.fairKey(),
                group == null || !exposed.hasGroup(group) ? null : group,
                job.startedAt(),
                job.endedAt(),
                failure == null ? null : failure.type(),
                failure == null || payloads == null ? null : failure.message(),
                payloads == null ? null : json(job.payload(), payloads),
                payloads == null ? null : json(job.result(), payloads),
                payloads == null ? null : job.extras().resultMissing(),
                ProgressView.of(progress),
                payloads == null ? null : log,
                job.labels());
    }

    private static @Nullable JsonNode json(@Nullable String text, JsonMapper mapper) {
        if (text == null) {
            return null;
        }
        try {
            return mapper.readTree(text);
        } catch (JacksonException otherCodec) {
            return mapper.getNodeFactory().stringNode(text);
        }
    }
}
