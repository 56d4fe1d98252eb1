package io.delayjob.rest;

import static io.delayjob.rest.Authority.CHANGE;
import static io.delayjob.rest.Authority.READ;
import static io.delayjob.rest.Authority.SUBMIT;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Serves the paths of jobs, by name and by id. Thread-safe. */
@RestController
@RequestMapping(JobsController.PATH)
final class JobsController {

    static final String PATH = "${delayjob.rest.path:" + RestProperties.DEFAULT_PATH + "}";

    private final DelayJobOperations jobs;
    private final ExposedJobs exposed;
    private final @Nullable JsonMapper payloads;

    /** @param payloads reads payloads; {@code null} if payloads are not shown */
    JobsController(DelayJobOperations jobs, ExposedJobs exposed, @Nullable JsonMapper payloads) {
        this.jobs = jobs;
        this.exposed = exposed;
        this.payloads = payloads;
    }

    @PostMapping("/jobs")
    @Needs(SUBMIT)
    ResponseEntity<SubmittedJob> submit(
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) @Nullable String idempotencyKey,
            @RequestBody JobRequest request,
            HttpServletRequest http) {
        SubmittedJob body = SubmittedJob.of(request.schedule(exposed, IdempotencyKey.read(idempotencyKey)));
        return body.outcome() == Scheduled.Outcome.CREATED
                ? ResponseEntity.created(URI.create(http.getRequestURI() + "/" + body.id()))
                        .body(body)
                : ResponseEntity.ok(body);
    }

    @GetMapping("/jobs/{id}")
    @Needs(READ)
    JobView find(@PathVariable String id) {
        Job job = exposed.job(id);
        if (job.state() != JobState.RUNNING) {
            return JobView.of(job, exposed, payloads);
        }
        return JobView.of(
                job,
                exposed,
                payloads,
                jobs.progress(job.id()).orElse(null),
                payloads == null ? null : jobs.log(job.id()).orElse(null));
    }

    @GetMapping("/jobs")
    @Needs(READ)
    JobsView find(
            @RequestParam String name,
            @RequestParam(required = false) @Nullable String key,
            @RequestParam(required = false) @Nullable JobState state,
            @RequestParam(required = false) @Nullable String group,
            @RequestParam(required = false) @Nullable String label,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String after) {
        JobQuery query = (state == null ? JobQuery.all() : JobQuery.state(state)).name(exposed.name(name));
        query = key == null ? query : query.key(key).order(JobOrder.NEWEST);
        query = group == null ? query : query.group(exposed.group(group).name());
        query = label == null ? query : query.label(label);
        query = limit == null ? query : query.limit(limit);
        query = query.lookAt(JobQuery.MAX_LOOK);
        JobPage page = jobs.find(after == null ? query : query.after(JobCursor.parse(after)));
        return new JobsView(
                page.stream().map(job -> JobView.of(job, exposed, payloads)).toList(),
                page.next() == null ? null : page.next().toString());
    }

    @PatchMapping("/jobs/{id}")
    @Needs(CHANGE)
    ChangedJob reschedule(@PathVariable String id, @RequestBody TimeRequest time) {
        Job job = exposed.job(id);
        Duration delay = time.duration();
        Instant instant = time.instant();
        if ((delay == null) == (instant == null)) {
            throw Problem.INVALID_JOB.of("Invalid time: must have either 'after' or 'at'; send exactly one of them.");
        }
        return changed(job, delay == null ? jobs.reschedule(job.id(), instant) : jobs.reschedule(job.id(), delay));
    }

    @PostMapping("/jobs/{id}/retry")
    @Needs(CHANGE)
    ChangedJob retry(@PathVariable String id, @RequestBody(required = false) @Nullable TimeRequest time) {
        Job job = exposed.job(id);
        if (time != null && time.at() != null) {
            throw Problem.INVALID_JOB.of(
                    "Invalid time: 'at' is not allowed for a retry; send 'after', or no time for a retry at once.");
        }
        Duration delay = time == null ? null : time.duration();
        return changed(job, delay == null ? jobs.retry(job.id()) : jobs.retry(job.id(), delay));
    }

    private static ChangedJob changed(Job job, ChangeResult result) {
        if (result == ChangeResult.NOT_FOUND) {
            throw ExposedJobs.gone(job.id().toString());
        }
        if (result != ChangeResult.CHANGED && result != ChangeResult.ON_COMMIT) {
            throw Problem.UNCHANGED.of("Job %s was not changed: %s.".formatted(job.id(), reason(result)), result);
        }
        return new ChangedJob(job.id().toString(), result);
    }

    private static String reason(ChangeResult result) {
        return switch (result) {
            case RUNNING -> "an attempt is under way or starts within moments";
            case WAITING -> "it waits already, and did not fail";
            case KEY_IN_USE -> "an unfinished job has taken its key";
            case ALREADY_ENDED -> "it has ended, and a retry needs a failed job";
            case CHANGED, ON_COMMIT, NOT_FOUND -> throw new IllegalArgumentException(result.name());
        };
    }

    @DeleteMapping("/jobs/{id}")
    @Needs(CHANGE)
    CancelledJob cancel(@PathVariable String id) {
        Job job = exposed.job(id);
        return cancelled("Job " + job.id(), jobs.cancel(job.id()));
    }

    @DeleteMapping("/jobs")
    @Needs(CHANGE)
    CancelledJob cancel(@RequestParam String name, @RequestParam String key) {
        return cancelled("Job '%s' with key '%s'".formatted(exposed.name(name), key), jobs.cancel(name, key));
    }

    private static CancelledJob cancelled(String job, CancelResult result) {
        return switch (result) {
            case NOT_FOUND -> throw Problem.NOT_FOUND.of(job + " does not exist, or has ended.");
            case ALREADY_ENDED ->
                throw Problem.UNCHANGED.of(job + " was not cancelled: it had finished or failed before.", result);
            case CANCELLED, CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT, RUNNING, ON_COMMIT -> new CancelledJob(result);
        };
    }
}
