package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.job.Printable;
import io.delayjob.schedule.DurationText;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes jobs, handlers and queues for operators. Each change is logged with the name of the operator. */
final class ChangesByHand {

    private static final Logger log = LoggerFactory.getLogger(ChangesByHand.class);

    private static final String ACTIONS = "run, retry or reschedule";

    private static final String PAUSES = "pause or resume";

    private final DelayJobOperations operations;

    ChangesByHand(DelayJobOperations operations) {
        this.operations = operations;
    }

    CancelResult cancel(JobId id, String principal) {
        return logged(id, "'cancel'", principal, operations.cancel(id));
    }

    /** @throws IllegalArgumentException if the action or the delay is invalid */
    ChangeResult change(JobId id, @Nullable String action, @Nullable String delay, String principal) {
        return switch (stated(action, ACTIONS)) {
            case "run" -> {
                refuse(delay, "run makes the job due now; to postpone it, use the action reschedule");
                yield logged(id, "'run'", principal, operations.reschedule(id, Duration.ZERO));
            }
            case "retry" -> {
                refuse(delay, "retry makes the job due now; reschedule it after that");
                yield logged(id, "'retry'", principal, operations.retry(id));
            }
            case "reschedule" -> {
                Duration after = duration(delay);
                yield logged(
                        id, "'reschedule' (delay %s)".formatted(delay), principal, operations.reschedule(id, after));
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
    String changeHandler(String name, @Nullable String action, @Nullable String delay, String principal) {
        return changed("Handler", name, action, delay, operations::pause, operations::resume, principal);
    }

    /** Pauses or resumes a queue, like {@link #changeHandler}. */
    String changeQueue(String name, @Nullable String action, @Nullable String delay, String principal) {
        return changed("Queue", name, action, delay, operations::pauseQueue, operations::resumeQueue, principal);
    }

    private static String changed(
            String what,
            String name,
            @Nullable String action,
            @Nullable String delay,
            Predicate<String> pause,
            Predicate<String> resume,
            String principal) {
        boolean pauses = switch (stated(action, PAUSES)) {
            case "pause" -> true;
            case "resume" -> false;
            default -> throw invalid(action, PAUSES);
        };
        refuse(delay, "pause and resume take effect at once, and a pause lasts until resume; remove the delay");
        boolean news = (pauses ? pause : resume).test(name);
        String result = pauses ? "PAUSED" : "RESUMED";
        log.info(
                "{} '{}': '{}' by {} through the endpoint: {}{}.",
                what,
                Printable.of(name),
                action,
                Printable.of(principal),
                result,
                news ? "" : ", as before");
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

    private static <R> R logged(JobId id, String change, String principal, R result) {
        log.info("Job {}: {} by {} through the endpoint: {}.", id, change, Printable.of(principal), result);
        return result;
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
