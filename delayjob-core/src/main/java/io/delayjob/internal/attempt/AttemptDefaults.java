package io.delayjob.internal.attempt;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * @param timeout the timeout of an attempt; {@code null} if there is no timeout
 * @param maxSnooze maximum time by which snoozes may delay a run after its planned time
 * @param unreadableAfter if a payload is unreadable, the time after the due time in which the job is left to other
 *     instances
 */
public record AttemptDefaults(
        RetryPolicy retry, @Nullable Duration timeout, Duration maxSnooze, Duration unreadableAfter) {}
