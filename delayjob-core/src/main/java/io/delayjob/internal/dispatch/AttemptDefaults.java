package io.delayjob.internal.dispatch;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What holds for attempts unless their handler says otherwise.
 *
 * @param retry the policy of handlers that state none
 * @param timeout the time-out of handlers that state none; {@code null}: none
 * @param maxSnooze for how long after their planned time runs may be put off, of handlers that state nothing about it
 * @param unreadableAfter how long a payload that cannot be read here is left to other instances
 */
public record AttemptDefaults(
        RetryPolicy retry, @Nullable Duration timeout, Duration maxSnooze, Duration unreadableAfter) {}
