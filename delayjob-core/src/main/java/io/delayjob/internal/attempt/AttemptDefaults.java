package io.delayjob.internal.attempt;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Defaults for attempts. A handler may state other values.
 *
 * @param retry retry policy of handlers that state none
 * @param timeout time-out of handlers that state none; {@code null} for no time-out
 * @param maxSnooze maximum time that runs may be put off after their planned time, for handlers that state none
 * @param unreadableAfter time for which an unreadable payload is left to other instances
 */
public record AttemptDefaults(
        RetryPolicy retry, @Nullable Duration timeout, Duration maxSnooze, Duration unreadableAfter) {}
