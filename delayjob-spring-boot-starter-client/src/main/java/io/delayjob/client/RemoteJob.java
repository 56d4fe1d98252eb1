package io.delayjob.client;

import io.delayjob.job.AttemptCounts;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.Partition;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads jobs from responses of the API. Fields that the API does not show, such as the token, are zero or absent. */
final class RemoteJob {

    private RemoteJob() {}

    static Job read(JsonNode job) {
        JobState state = JobState.valueOf(job.path("state").asString());
        String failure = text(job, "failure");
        String message = text(job, "message");
        return new Job(
                JobId.parse(job.path("id").asString()),
                new Partition(job.path("queue").asString(), 0),
                new JobTask(
                        job.path("name").asString(),
                        text(job, "key"),
                        json(job, "arguments"),
                        null,
                        null,
                        extras(job).toText()),
                new JobPlan(
                        text(job, "repeat"),
                        text(job, "retry"),
                        time(job, "scheduledAt"),
                        job.path("run").asInt(),
                        time(job, "plannedAt"),
                        time(job, "dueAt")),
                new JobProgress(
                        state,
                        0,
                        0,
                        Server.instant(job, "startedAt"),
                        job.path("cancelRequested").asBoolean(),
                        state == JobState.AWAITING,
                        new AttemptCounts(
                                job.path("attempt").asInt(),
                                job.path("failures").asInt(),
                                0,
                                0)),
                new JobEnd(
                        null,
                        Server.instant(job, "endedAt"),
                        failure == null ? null : Failure.of(failure, message == null ? "" : message)));
    }

    static Optional<Vitals.Progress> progress(JsonNode job) {
        JsonNode progress = job.path("progress");
        return progress.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Vitals.Progress(
                        JobId.parse(job.path("id").asString()),
                        progress.path("attempt").asInt(),
                        progress.path("done").asLong(),
                        progress.path("total").asLong(0),
                        progress.path("note").asString("")));
    }

    static @Nullable JobLog log(JsonNode job) {
        JsonNode log = job.path("log");
        return log.isMissingNode()
                ? null
                : new JobLog(
                        log.path("attempt").asInt(),
                        StreamSupport.stream(log.path("lines").spliterator(), false)
                                .map(line -> new JobLog.Line(
                                        time(line, "at"), line.path("message").asString()))
                                .toList());
    }

    private static Instant time(JsonNode job, String field) {
        return Objects.requireNonNull(Server.instant(job, field), field);
    }

    private static @Nullable String text(JsonNode job, String field) {
        return job.has(field) ? job.path(field).asString() : null;
    }

    private static @Nullable String json(JsonNode job, String field) {
        return job.has(field) ? job.path(field).toString() : null;
    }

    private static JobExtras extras(JsonNode job) {
        JobExtras extras = JobExtras.NONE;
        for (JsonNode label : job.path("labels")) {
            extras = extras.withLabel(label.asString());
        }
        Instant expiresAt = Server.instant(job, "expiresAt");
        if (expiresAt != null) {
            extras = extras.withExpiresAfter(Duration.between(time(job, "plannedAt"), expiresAt));
        }
        String mutex = text(job, "mutex");
        if (mutex != null) {
            extras = extras.withMutex(mutex);
        }
        String rateKey = text(job, "rateKey");
        if (rateKey != null) {
            extras = extras.withRateKey(rateKey);
        }
        String fairKey = text(job, "fairKey");
        if (fairKey != null) {
            extras = extras.withFairKey(fairKey);
        }
        String group = text(job, "group");
        if (group != null) {
            extras = extras.withGroupName(group);
        }
        String result = json(job, "result");
        String missing = text(job, "resultMissing");
        if (result != null) {
            extras = extras.withResult(result);
        } else if (missing != null) {
            extras = extras.withResultMissing(missing);
        }
        JobLog log = log(job);
        return log == null ? extras : extras.withLog(log);
    }
}
