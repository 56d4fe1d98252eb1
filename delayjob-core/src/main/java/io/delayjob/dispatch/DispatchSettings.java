package io.delayjob.dispatch;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the dispatcher is told.
 *
 * @param retry the policy of handlers that state none
 * @param timeout the time-out of handlers that state none; {@code null}: none
 * @param interruptGrace how long an interrupted attempt may take to end before it is written off
 * @param unreadableAfter how long a payload that cannot be read here is left to other instances
 * @param batchSize most rows of one claim
 */
public record DispatchSettings(
        RetryPolicy retry,
        @Nullable Duration timeout,
        Duration interruptGrace,
        Duration unreadableAfter,
        int batchSize) {}
