package io.delayjob.internal.attempt;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Contains default values for attempts. A handler may state other values.
 *
 * @param retry the retry policy of handlers without a policy of their own
 * @param timeout timeout of handlers without a timeout of their own; {@code null} if there is no timeout
 * @param maxSnooze how far beyond its planned time snoozes may delay a run, for handlers without a maximum of their own
 * @param unreadableAfter time for which a job with an unreadable payload is left to other instances, before the job
 *     fails
 */
public record AttemptDefaults(
        RetryPolicy retry, @Nullable Duration timeout, Duration maxSnooze, Duration unreadableAfter) {}
