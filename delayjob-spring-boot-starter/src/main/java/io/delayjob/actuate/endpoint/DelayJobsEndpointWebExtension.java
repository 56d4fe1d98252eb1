package io.delayjob.actuate.endpoint;

import io.delayjob.UnknownNameException;
import io.delayjob.actuate.endpoint.ChangesByHand.PauseRequest;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.store.StoreException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Offers the endpoint over HTTP. */
@EndpointWebExtension(endpoint = DelayJobsEndpoint.class)
class DelayJobsEndpointWebExtension {

    private static final int STATUS_CONFLICT = 409;

    private static final int STATUS_FORBIDDEN = 403;

    static final String JOBS = "jobs";

    private static final String HANDLERS = "handlers";

    private static final String QUEUES = "queues";
    private static final String GROUPS = "groups";

    private static final String NO_GROUP =
            "Group '%s' does not exist, or its retention is over. GET groups lists the groups.";

    private final DelayJobEndpointProperties properties;
    private final ReadGate gate;

    DelayJobsEndpointWebExtension(DelayJobEndpointProperties properties, ReadGate gate) {
        this.properties = properties;
        this.gate = gate;
    }

    @ReadOperation
    WebEndpointResponse<Object> summary(StoreView view) {
        return answer(() -> gated(view.endpoint()::summary));
    }

    @ReadOperation
    WebEndpointResponse<Object> section(
            StoreView view, SecurityContext caller, @Selector String section, RequestParameters request) {
        DelayJobsEndpoint endpoint = view.endpoint();
        return answer(() -> switch (section) {
            case JOBS ->
                unlessHidden(
                        caller,
                        request,
                        () -> gated(() ->
                                endpoint.jobs(RequestedJobs.page(request), properties.payloadHidden(caller) == null)));
            case "around" -> whole(request, endpoint::aroundNow);
            case "pulse" -> ok(view.pulse().answer(request));
            case "minutes" -> gated(() -> endpoint.minutes(request));
            case "due" -> gated(() -> endpoint.due(request));
            case "failures" -> gated(() -> endpoint.failures(request));
            case HANDLERS -> whole(request, () -> gate.read(endpoint::handlers));
            case QUEUES -> whole(request, () -> gate.read(endpoint::queues));
            case GROUPS -> whole(request, () -> gate.read(endpoint::groups));
            case "wheel" -> whole(request, endpoint::wheel);
            case "instances" -> whole(request, () -> gate.read(endpoint::instances));
            default -> unknown(section);
        });
    }

    @WriteOperation
    WebEndpointResponse<Object> changeMany(
            StoreView view, SecurityContext caller, @Selector String section, RequestParameters request) {
        return allowed(
                caller,
                () -> answer(() -> section.equals(JOBS)
                        ? unlessHidden(caller, request, () -> ok(view.bulk().change(request, Caller.of(caller))))
                        : unknown(section)));
    }

    /** Refuses searches in hidden payloads, because the answer would reveal content of the payloads. */
    private WebEndpointResponse<Object> unlessHidden(
            SecurityContext caller, RequestParameters request, Supplier<WebEndpointResponse<Object>> answer) {
        String hidden = request.text(RequestedJobs.PAYLOAD) == null ? null : properties.payloadHidden(caller);
        return hidden == null
                ? answer.get()
                : error("Payloads are hidden from you, so you cannot search in them: " + hidden, STATUS_FORBIDDEN);
    }

    private WebEndpointResponse<Object> gated(Supplier<Object> body) {
        return ok(gate.read(body));
    }

    private static WebEndpointResponse<Object> whole(RequestParameters request, Supplier<Object> body) {
        request.only();
        return ok(body.get());
    }

    @ReadOperation
    WebEndpointResponse<Object> one(
            StoreView view, SecurityContext caller, @Selector String section, @Selector String id) {
        DelayJobsEndpoint endpoint = view.endpoint();
        return switch (section) {
            case HANDLERS ->
                answer(() -> found(
                        gate.read(() -> endpoint.handler(id)),
                        "This instance has no handler '%s'. GET handlers lists the handlers of all instances.",
                        id));
            case QUEUES ->
                answer(() -> found(
                        gate.read(() -> endpoint.queue(id)), "Unknown queue '%s'. GET queues lists all queues.", id));
            case GROUPS -> answer(() -> found(gate.read(() -> endpoint.group(id)), NO_GROUP, id));
            default -> showJob(endpoint, caller, section, id);
        };
    }

    private WebEndpointResponse<Object> showJob(
            DelayJobsEndpoint endpoint, SecurityContext caller, String section, String id) {
        return aboutJob(section, id, job -> {
            JobDetailsDescriptor details = gate.read(() -> endpoint.job(job, properties.payloadHidden(caller)));
            return details == null ? noSuchJob(job) : ok(details);
        });
    }

    private static WebEndpointResponse<Object> found(@Nullable Object body, String otherwise, String name) {
        return body == null ? error(otherwise.formatted(name), WebEndpointResponse.STATUS_NOT_FOUND) : ok(body);
    }

    @DeleteOperation
    WebEndpointResponse<Object> cancel(
            StoreView view, SecurityContext caller, @Selector String section, @Selector String id) {
        return allowed(
                caller,
                () -> section.equals(GROUPS)
                        ? cancelGroup(view, caller, id)
                        : cancelJob(view.changes(), caller, section, id));
    }

    private WebEndpointResponse<Object> cancelGroup(StoreView view, SecurityContext caller, String name) {
        return answer(() -> {
            GroupDescriptor group = view.endpoint().group(name);
            if (group == null) {
                return found(null, NO_GROUP, name);
            }
            long changed = view.changes().cancelGroup(name, Caller.of(caller));
            GroupDescriptor after = view.endpoint().group(name);
            String result = after == null ? group.state() : after.state();
            return ok(new GroupChangeDescriptor(name, result, changed));
        });
    }

    private WebEndpointResponse<Object> cancelJob(
            ChangesByHand changes, SecurityContext caller, String section, String id) {
        return aboutJob(section, id, job -> {
            CancelResult result = changes.cancel(job, Caller.of(caller));
            return switch (result) {
                case NOT_FOUND -> noSuchJob(job);
                case ALREADY_ENDED -> changed(job, result, STATUS_CONFLICT);
                case CANCELLED, CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT, RUNNING, ON_COMMIT ->
                    changed(job, result, WebEndpointResponse.STATUS_OK);
            };
        });
    }

    @WriteOperation
    WebEndpointResponse<Object> change(
            StoreView view,
            SecurityContext caller,
            @Selector String section,
            @Selector String id,
            @Nullable String action,
            @Nullable String delay,
            @Nullable String reason) {
        PauseRequest request = new PauseRequest(action, delay, reason);
        return allowed(caller, () -> switch (section) {
            case HANDLERS ->
                answer(() -> paused(view, id, view.changes().changeHandler(id, request, Caller.of(caller))));
            case QUEUES -> answer(() -> paused(view, id, view.changes().changeQueue(id, request, Caller.of(caller))));
            default ->
                reason == null
                        ? changeJob(view.changes(), caller, section, id, action, delay)
                        : error(
                                "Invalid reason: only the pause of a handler or a queue can have a "
                                        + "reason. Leave out the reason.",
                                WebEndpointResponse.STATUS_BAD_REQUEST);
        });
    }

    private WebEndpointResponse<Object> allowed(SecurityContext caller, Supplier<WebEndpointResponse<Object>> change) {
        return properties.mayChange(caller)
                ? change.get()
                : error(
                        "The caller %s has none of the roles that may change jobs (delayjob.endpoint.operator-roles)."
                                .formatted(Caller.of(caller)),
                        STATUS_FORBIDDEN);
    }

    private WebEndpointResponse<Object> changeJob(
            ChangesByHand changes,
            SecurityContext caller,
            String section,
            String id,
            @Nullable String action,
            @Nullable String delay) {
        return aboutJob(section, id, job -> {
            ChangeResult result = changes.change(job, action, delay, Caller.of(caller));
            return switch (result) {
                case NOT_FOUND -> noSuchJob(job);
                case CHANGED, ON_COMMIT -> changed(job, result, WebEndpointResponse.STATUS_OK);
                case RUNNING, WAITING, ALREADY_ENDED, KEY_IN_USE -> changed(job, result, STATUS_CONFLICT);
            };
        });
    }

    private static JobId id(String text) {
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException noId) {
            throw new IllegalArgumentException(
                    "Invalid job id '%s': must be a UUID, such as the ids that GET jobs shows.".formatted(text), noId);
        }
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
        } catch (TooManyReadsException tooMany) {
            return error(String.valueOf(tooMany.getMessage()), WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
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

    private WebEndpointResponse<Object> paused(StoreView view, String name, String result) {
        return ok(new PauseDescriptor(name, result, view.endpoint().notHeardOfPauses()));
    }

    private static WebEndpointResponse<Object> noSuchJob(JobId job) {
        return error(
                "Job %s does not exist, or its history has been purged.".formatted(job),
                WebEndpointResponse.STATUS_NOT_FOUND);
    }

    private static WebEndpointResponse<Object> unknown(String path) {
        return error(
                "Unknown section '%s': must be one of jobs, jobs/{id}, around, pulse, minutes, due, failures, handlers, handlers/{name}, queues, queues/{name}, groups, groups/{name}, wheel, instances."
                        .formatted(path),
                WebEndpointResponse.STATUS_NOT_FOUND);
    }

    private static WebEndpointResponse<Object> error(String reason, int status) {
        return new WebEndpointResponse<>(new ErrorDescriptor(reason), status);
    }
}
