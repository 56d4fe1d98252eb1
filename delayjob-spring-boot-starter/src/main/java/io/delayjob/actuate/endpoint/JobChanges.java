package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.schedule.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators may do to a job; each change is logged with who made it. */
final class JobChanges {

    private static final Logger log = LoggerFactory.getLogger(JobChanges.class);

    private static final String ACTIONS = "run, retry or reschedule";

    private final DelayJobOperations operations;

    JobChanges(DelayJobOperations operations) {
        this.operations = operations;
    }

    CancelResult cancel(JobId id, String principal) {
        return logged(id, "'cancel'", principal, operations.cancel(id));
    }

    /** @throws IllegalArgumentException when there is no such action, or no such delay */
    ChangeResult change(JobId id, @Nullable String action, @Nullable String delay, String principal) {
        if (action == null) {
            throw new IllegalArgumentException(
                    "The action is missing: state \"action\", which must be " + ACTIONS + ".");
        }
        return switch (action) {
            case "run" -> logged(id, "'run'", principal, operations.reschedule(id, Duration.ZERO));
            case "retry" -> logged(id, "'retry'", principal, operations.retry(id));
            case "reschedule" -> {
                Duration after = duration(delay);
                yield logged(
                        id, "'reschedule' (delay %s)".formatted(delay), principal, operations.reschedule(id, after));
            }
            default ->
                throw new IllegalArgumentException("Invalid action '%s': must be %s.".formatted(action, ACTIONS));
        };
    }

    private static <R> R logged(JobId id, String change, String principal, R result) {
        log.info("Job {}: {} by {} through the endpoint: {}.", id, change, principal, result);
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
