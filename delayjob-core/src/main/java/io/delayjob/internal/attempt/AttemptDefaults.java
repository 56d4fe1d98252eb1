package io.delayjob.internal.attempt;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Contains default values for attempts. A handler may state other values.
 *
 * @param retry the retry policy of handlers without a policy of their own
 * @param timeout the timeout of handlers that state none; {@code null} if there is no timeout
 * @param maxSnooze maximum time by which snoozes may delay a run after its planned time, for handlers that state no
 *     maximum
 * @param unreadableAfter time after the due time for which a job with an unreadable payload is left to other instances.
 *     After that, the job fails
 */
public record AttemptDefaults(
        RetryPolicy retry, @Nullable Duration timeout, Duration maxSnooze, Duration unreadableAfter) {}
