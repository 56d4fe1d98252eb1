package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.schedule.DurationText;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What operators may do to jobs, handlers and queues; each change leaves a trail. */
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

    /** @throws IllegalArgumentException when there is no such action, or no such delay */
    ChangeResult change(JobId id, @Nullable String action, @Nullable String delay, Caller caller) {
        return switch (stated(action, ACTIONS)) {
            case "run" -> {
                refuse(delay, "run makes it due now; to put it off, state action reschedule");
                yield changed(caller, "run", id, Map.of(), () -> operations.reschedule(id, Duration.ZERO));
            }
            case "retry" -> {
                refuse(delay, "retry makes it due now; reschedule it then");
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

    /**
     * Pauses or resumes a handler.
     *
     * @return {@code PAUSED} or {@code RESUMED}
     * @throws IllegalArgumentException if the action is invalid, or no handler can have this name
     * @throws io.delayjob.UnknownNameException if no instance knows a handler of this name
     */
    String changeHandler(String name, @Nullable String action, @Nullable String delay, Caller caller) {
        refuse(delay, "a pause lasts until it is resumed, and both are done now");
        return paused(caller, "handler", name, action, operations::pause, operations::resume);
    }

    /** As {@link #changeHandler}, of a queue. */
    String changeQueue(String name, @Nullable String action, @Nullable String delay, Caller caller) {
        refuse(delay, "a pause lasts until it is resumed, and both are done now");
        return paused(caller, "queue", name, action, operations::pauseQueue, operations::resumeQueue);
    }

    private String paused(
            Caller caller,
            String target,
            String name,
            @Nullable String action,
            Predicate<String> pause,
            Predicate<String> resume) {
        boolean pauses = switch (stated(action, PAUSES)) {
            case "pause" -> true;
            case "resume" -> false;
            default -> throw invalid(action, PAUSES);
        };
        String result = pauses ? "PAUSED" : "RESUMED";
        trail.of(
                caller,
                AuditTrail.Change.of(pauses ? "pause" : "resume", target, name),
                () -> (pauses ? pause : resume).test(name),
                isNew -> new AuditTrail.Outcome(
                        isNew ? result : result + ", as it was before",
                        Map.of("result", isNew ? result : "UNCHANGED")));
        return result;
    }

    /** Refuses a delay that would be ignored. */
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
