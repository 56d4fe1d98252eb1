package io.delayjob.internal.attempt;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * @param timeout the timeout of an attempt; {@code null} if there is no timeout
 * @param maxSnooze maximum time by which snoozes may delay a run after its planned time
 * @param unreadableAfter how long after its due time a job with an unreadable payload is left to other instances
 */
public record AttemptDefaults(
        RetryPolicy retry, @Nullable Duration timeout, Duration maxSnooze, Duration unreadableAfter) {}
