package io.delayjob.actuate.endpoint;

import io.delayjob.UnknownNameException;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreException;
import java.security.Principal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The endpoint over HTTP: the summary, {@code jobs}, {@code jobs/{id}}, {@code handlers}, {@code handlers/{name}}, {@code queues},
 * {@code queues/{name}}, {@code wheel}, {@code instances}. Bad requests are answered with a reason in the body.
 */
@EndpointWebExtension(endpoint = DelayJobsEndpoint.class)
class DelayJobsEndpointWebExtension {

    private static final int STATUS_CONFLICT = 409;

    static final String JOBS = "jobs";

    private static final String HANDLERS = "handlers";

    private static final String QUEUES = "queues";

    private final DelayJobsEndpoint endpoint;
    private final JobChanges changes;
    private final Predicate<SecurityContext> showsPayload;

    DelayJobsEndpointWebExtension(
            DelayJobsEndpoint endpoint, JobChanges changes, Predicate<SecurityContext> showsPayload) {
        this.endpoint = endpoint;
        this.changes = changes;
        this.showsPayload = showsPayload;
    }

    @ReadOperation
    WebEndpointResponse<Object> summary() {
        return answer(() -> ok(endpoint.summary()));
    }

    @ReadOperation
    WebEndpointResponse<Object> section(
            SecurityContext caller,
            @Selector String section,
            @Nullable String state,
            @Nullable String name,
            @Nullable String key,
            @Nullable String limit,
            @Nullable String after) {
        if (!section.equals(JOBS) && Stream.of(state, name, key, limit, after).anyMatch(Objects::nonNull)) {
            return error(
                    "Only jobs are asked for by state, name, key, limit or after: '%s' comes whole.".formatted(section),
                    WebEndpointResponse.STATUS_BAD_REQUEST);
        }
        return answer(() -> switch (section) {
            case JOBS -> ok(endpoint.jobs(query(state, name, key, limit, after), showsPayload.test(caller)));
            case HANDLERS -> ok(endpoint.handlers());
            case QUEUES -> ok(endpoint.queues());
            case "wheel" -> ok(endpoint.wheel());
            case "instances" -> ok(endpoint.instances());
            default -> unknown(section);
        });
    }

    @ReadOperation
    WebEndpointResponse<Object> one(SecurityContext caller, @Selector String section, @Selector String id) {
        return switch (section) {
            case HANDLERS ->
                answer(() -> found(
                        endpoint.handler(id),
                        "This instance has no handler '%s': ask for handlers, which also lists those of others.",
                        id));
            case QUEUES ->
                answer(() -> found(endpoint.queue(id), "Unknown queue '%s': ask for queues, which lists all.", id));
            default -> showJob(caller, section, id);
        };
    }

    private WebEndpointResponse<Object> showJob(SecurityContext caller, String section, String id) {
        return aboutJob(section, id, job -> {
            JobDetailsDescriptor details = endpoint.job(job, showsPayload.test(caller));
            return details == null ? noSuchJob(job) : ok(details);
        });
    }

    private static WebEndpointResponse<Object> found(@Nullable Object body, String otherwise, String name) {
        return body == null ? error(otherwise.formatted(name), WebEndpointResponse.STATUS_NOT_FOUND) : ok(body);
    }

    @DeleteOperation
    WebEndpointResponse<Object> cancel(SecurityContext caller, @Selector String section, @Selector String id) {
        return aboutJob(section, id, job -> {
            CancelResult result = changes.cancel(job, nameOf(caller));
            return switch (result) {
                case NOT_FOUND -> noSuchJob(job);
                case ALREADY_ENDED -> changed(job, result, STATUS_CONFLICT);
                case CANCELLED, CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT, RUNNING ->
                    changed(job, result, WebEndpointResponse.STATUS_OK);
            };
        });
    }

    @WriteOperation
    WebEndpointResponse<Object> change(
            SecurityContext caller,
            @Selector String section,
            @Selector String id,
            @Nullable String action,
            @Nullable String delay) {
        return switch (section) {
            case HANDLERS -> answer(() -> paused(id, changes.changeHandler(id, action, delay, nameOf(caller))));
            case QUEUES -> answer(() -> paused(id, changes.changeQueue(id, action, delay, nameOf(caller))));
            default -> changeJob(caller, section, id, action, delay);
        };
    }

    private WebEndpointResponse<Object> changeJob(
            SecurityContext caller, String section, String id, @Nullable String action, @Nullable String delay) {
        return aboutJob(section, id, job -> {
            ChangeResult result = changes.change(job, action, delay, nameOf(caller));
            return switch (result) {
                case NOT_FOUND -> noSuchJob(job);
                case CHANGED -> changed(job, result, WebEndpointResponse.STATUS_OK);
                case RUNNING, WAITING, ALREADY_ENDED, KEY_IN_USE -> changed(job, result, STATUS_CONFLICT);
            };
        });
    }

    private static JobQuery query(
            @Nullable String state,
            @Nullable String name,
            @Nullable String key,
            @Nullable String limit,
            @Nullable String after) {
        JobQuery query = state == null ? JobQuery.all() : JobQuery.state(state(state));
        query = name == null ? query : query.name(name);
        query = key == null ? query : query.key(key);
        query = limit == null ? query : query.limit(limit(limit));
        return after == null ? query : behind(query, after);
    }

    /** Refuses it in terms of HTTP, as {@link #limit} does. */
    private static JobQuery behind(JobQuery query, String after) {
        try {
            return query.after(JobCursor.parse(after));
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException(
                    "Invalid after '%s': must be the 'next' of a page with the same state, name and key."
                            .formatted(after),
                    unusable);
        }
    }

    private static JobState state(String text) {
        return Arrays.stream(JobState.values())
                .filter(state -> state.name().equals(text.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Invalid state '%s': must be one of %s.".formatted(text, Arrays.toString(JobState.values()))));
    }

    /** Says it in words of HTTP, where that of {@link JobQuery} names methods. */
    private static int limit(String text) {
        return number(text)
                .filter(limit -> limit >= 1 && limit <= JobQuery.MAX_LIMIT)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Invalid limit '%s': must be a number from 1 to %d; for more, ask again with after=<next of the page>."
                                .formatted(text, JobQuery.MAX_LIMIT)));
    }

    private static Optional<Integer> number(String text) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }

    private static JobId id(String text) {
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException noId) {
            throw new IllegalArgumentException(
                    "Invalid job id '%s': must be a UUID, as the jobs of /jobs have it.".formatted(text), noId);
        }
    }

    private static String nameOf(SecurityContext caller) {
        Principal principal = caller.getPrincipal();
        return principal == null ? "anonymous" : "'" + principal.getName() + "'";
    }

    private interface AboutJob {
        WebEndpointResponse<Object> answer(JobId job);
    }

    private static WebEndpointResponse<Object> aboutJob(String section, String id, AboutJob request) {
        return answer(() -> section.equals(JOBS) ? request.answer(id(id)) : unknown(section + "/" + id));
    }

    private static WebEndpointResponse<Object> answer(Supplier<WebEndpointResponse<Object>> request) {
        try {
            return request.get();
        } catch (UnknownNameException unknown) {
            return error(String.valueOf(unknown.getMessage()), WebEndpointResponse.STATUS_NOT_FOUND);
        } catch (IllegalArgumentException bad) {
            return error(String.valueOf(bad.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (StoreException failure) {
            int status = failure.isTransient()
                    ? WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE
                    : WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR;
            return error(String.valueOf(failure.getMessage()), status);
        }
    }

    private static WebEndpointResponse<Object> ok(Object body) {
        return new WebEndpointResponse<>(body);
    }

    private static WebEndpointResponse<Object> changed(JobId job, Enum<?> result, int status) {
        return new WebEndpointResponse<>(new ChangeDescriptor(job.toString(), result.name()), status);
    }

    private WebEndpointResponse<Object> paused(String name, String result) {
        return ok(new PauseDescriptor(name, result, endpoint.notHeardOfPauses()));
    }

    private static WebEndpointResponse<Object> noSuchJob(JobId job) {
        return error(
                "Job %s does not exist, or its history has been purged.".formatted(job),
                WebEndpointResponse.STATUS_NOT_FOUND);
    }

    private static WebEndpointResponse<Object> unknown(String path) {
        return error(
                "There is no '%s': ask for jobs, jobs/{id}, handlers, handlers/{name}, queues, queues/{name}, wheel or instances."
                        .formatted(path),
                WebEndpointResponse.STATUS_NOT_FOUND);
    }

    private static WebEndpointResponse<Object> error(String reason, int status) {
        return new WebEndpointResponse<>(new ErrorDescriptor(reason), status);
    }
}
