package io.delayjob.rest;

import io.delayjob.NamedSpec;
import io.delayjob.ScheduleSpec;
import io.delayjob.job.JobId;
import io.delayjob.schedule.RetryPolicy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job that waits for a group, with the fields of {@link JobRequest}. Such a job has no key and no time. */
record WaitingJobRequest(
        @Nullable String name,
        @Nullable Map<String, @Nullable Object> arguments,
        @Nullable String queue,
        @Nullable String retry,
        @Nullable String expiresAfter,
        @Nullable String mutex,
        @Nullable String rateKey,
        @Nullable String fairKey,
        @Nullable List<String> labels)
        implements ApiBody {

    /** @param id the id that the job will have; {@code null} if delayjob creates an id */
    ScheduleSpec spec(ExposedJobs exposed, @Nullable JobId id) {
        if (name == null) {
            throw Problem.INVALID_JOB.of("Missing 'name': must be the name of a handler or target; add it.");
        }
        NamedSpec named = exposed.jobs().schedule(exposed.name(name));
        ScheduleSpec spec = arguments == null ? named : named.with(arguments);
        if (queue != null) {
            spec = spec.queue(queue);
        }
        if (retry != null) {
            spec = spec.retry(RetryPolicy.parse(retry));
        }
        if (expiresAfter != null) {
            spec = spec.expiresAfter(TimeRequest.duration(Problem.INVALID_JOB, "expiresAfter", expiresAfter));
        }
        if (mutex != null) {
            spec = spec.mutex(mutex);
        }
        if (rateKey != null) {
            spec = spec.rateKey(rateKey);
        }
        if (fairKey != null) {
            spec = spec.fairKey(fairKey);
        }
        for (String label : labels == null ? List.<String>of() : labels) {
            spec = spec.label(label);
        }
        return id == null ? spec : spec.id(id);
    }
}
