package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.job.PauseNote;
import io.delayjob.schedule.DurationText;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes that operators may make to jobs, handlers and queues. */
final class ChangesByHand {

    private static final String ACTIONS = "run, retry or reschedule";

    private static final String PAUSES = "pause or resume";

    private final DelayJobOperations operations;
    private final AuditTrail trail;

    ChangesByHand(DelayJobOperations operations, AuditTrail trail) {
        this.operations = operations;
        this.trail = trail;
    }

    CancelResult cancel(JobId id, Caller caller) {
        return changed(caller, "cancel", id, Map.of(), () -> operations.cancel(id));
    }

    long cancelGroup(String name, Caller caller) {
        return trail.of(
                        caller,
                        AuditTrail.Change.of("cancel", "group", name),
                        () -> operations.group(name).cancel(),
                        result -> new AuditTrail.Outcome(
                                "%d members cancelled".formatted(result.changed()),
                                Map.of("result", "CANCELLED", "changed", result.changed())))
                .changed();
    }

    ChangeResult change(JobId id, @Nullable String action, @Nullable String delay, Caller caller) {
        return switch (stated(action, ACTIONS)) {
            case "run" -> {
                refuse(delay, "'run' makes the job due now; to postpone the job, use the action 'reschedule'");
                yield changed(caller, "run", id, Map.of(), () -> operations.reschedule(id, Duration.ZERO));
            }
            case "retry" -> {
                refuse(delay, "'retry' makes the job due now; to postpone it, use 'reschedule' after that");
                yield changed(caller, "retry", id, Map.of(), () -> operations.retry(id));
            }
            case "reschedule" -> {
                Duration after = duration(delay);
                yield changed(
                        caller,
                        "reschedule",
                        id,
                        Map.of("delay", after.toString()),
                        () -> operations.reschedule(id, after));
            }
            default -> throw invalid(action, ACTIONS);
        };
    }

    String changeHandler(String name, PauseRequest request, Caller caller) {
        return paused(
                caller,
                "handler",
                name,
                request,
                () -> operations.pause(name, caller.principal(), request.reason),
                () -> operations.resume(name));
    }

    String changeQueue(String name, PauseRequest request, Caller caller) {
        return paused(
                caller,
                "queue",
                name,
                request,
                () -> operations.pauseQueue(name, caller.principal(), request.reason),
                () -> operations.resumeQueue(name));
    }

    /** @param delay must be absent, because the change takes effect immediately */
    record PauseRequest(
            @Nullable String action,
            @Nullable String delay,
            @Nullable String reason) {}

    private String paused(
            Caller caller,
            String target,
            String name,
            PauseRequest request,
            BooleanSupplier pause,
            BooleanSupplier resume) {
        refuse(
                request.delay,
                "'pause' and 'resume' take effect at once, and a pause lasts until 'resume'; remove the delay");
        String action = stated(request.action, PAUSES);
        boolean pauses = switch (action) {
            case "pause" -> true;
            case "resume" -> false;
            default -> throw invalid(action, PAUSES);
        };
        checkReason(request.reason, pauses);
        String result = pauses ? "PAUSED" : "RESUMED";
        Map<String, Object> detail = request.reason == null ? Map.of() : Map.of("reason", request.reason);
        trail.of(
                caller,
                new AuditTrail.Change(action, target, name, detail),
                (pauses ? pause : resume)::getAsBoolean,
                isNew -> new AuditTrail.Outcome(
                        isNew ? result : result + ", as before", Map.of("result", isNew ? result : "UNCHANGED")));
        return result;
    }

    private static void checkReason(@Nullable String reason, boolean pauses) {
        if (reason != null && !pauses) {
            throw new IllegalArgumentException("Invalid reason: only a pause can have a reason. Leave out the reason.");
        }
        if (reason != null && reason.length() > PauseNote.MAX_REASON) {
            throw new IllegalArgumentException(
                    "Invalid reason of %d characters: must have at most %d characters; shorten it."
                            .formatted(reason.length(), PauseNote.MAX_REASON));
        }
    }

    private static void refuse(@Nullable String delay, String why) {
        if (delay != null) {
            throw new IllegalArgumentException("Invalid delay '%s': %s.".formatted(delay, why));
        }
    }

    private static String stated(@Nullable String action, String actions) {
        if (action == null) {
            throw new IllegalArgumentException(
                    "The action is missing: send \"action\", which must be " + actions + ".");
        }
        return action;
    }

    private static IllegalArgumentException invalid(@Nullable String action, String actions) {
        return new IllegalArgumentException("Invalid action '%s': must be %s.".formatted(action, actions));
    }

    private <R> R changed(Caller caller, String action, JobId id, Map<String, Object> detail, Supplier<R> change) {
        return trail.of(
                caller, new AuditTrail.Change(action, "job", id.toString(), detail), change, AuditTrail.Outcome::of);
    }

    private static Duration duration(@Nullable String delay) {
        if (delay == null) {
            throw new IllegalArgumentException("Action reschedule needs a delay, such as \"2h\".");
        }
        if (delay.startsWith("-")) {
            throw new IllegalArgumentException(
                    "Invalid delay '%s': must be zero or more, such as \"2h\".".formatted(delay));
        }
        return DurationText.parse(delay);
    }
}
