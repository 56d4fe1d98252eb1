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

    private final DelayJobOperations operations;

    JobChanges(DelayJobOperations operations) {
        this.operations = operations;
    }

    CancelResult cancel(JobId id, String principal) {
        CancelResult result = operations.cancel(id);
        log.info("Job {}: 'cancel' by {} through the endpoint: {}.", id, principal, result);
        return result;
    }

    /** @throws IllegalArgumentException when there is no such action, or no such delay */
    ChangeResult change(JobId id, @Nullable String action, @Nullable String delay, String principal) {
        ChangeResult result = switch (String.valueOf(action)) {
            case "run" -> operations.reschedule(id, Duration.ZERO);
            case "retry" -> operations.retry(id);
            case "reschedule" -> operations.reschedule(id, duration(delay));
            default ->
                throw new IllegalArgumentException(
                        "Invalid action '%s': must be run, retry or reschedule.".formatted(action));
        };
        log.info("Job {}: '{}' (delay {}) by {} through the endpoint: {}.", id, action, delay, principal, result);
        return result;
    }

    private static Duration duration(@Nullable String delay) {
        if (delay == null) {
            throw new IllegalArgumentException("Action reschedule needs a delay, such as \"2h\".");
        }
        return DurationText.parse(delay);
    }
}
