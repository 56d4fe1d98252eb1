package io.delayjob.settings;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Contains the settings for attempts.
 *
 * @param retry the retry policy of handlers without a policy of their own
 * @param timeout the timeout of handlers without a timeout of their own, 1 ms or more; {@code null} means no timeout
 * @param maxSnooze how far {@link io.delayjob.handler.Next#snooze} may delay a run beyond its planned time; zero or
 *     more. This value applies to handlers without a maximum of their own
 * @param interruptGrace the time within which an interrupted attempt must end, zero or more. When this time is over,
 *     the engine no longer waits for the attempt
 * @param log the attempts that are logged
 * @param payloadMaxSize maximum length of a payload, in characters, 1 or more
 * @param unreadablePayloadAfter if this instance cannot read the payload of a job, it leaves the job to other instances
 *     for this time; zero or more
 */
public record AttemptSettings(
        RetryPolicy retry,
        @Nullable Duration timeout,
        Duration maxSnooze,
        Duration interruptGrace,
        AttemptLog log,
        int payloadMaxSize,
        Duration unreadablePayloadAfter) {

    public AttemptSettings {
        if (timeout != null) {
            SettingCheck.atLeast("timeout", timeout, Duration.ofMillis(1));
        }
        SettingCheck.atLeast("max-snooze", maxSnooze, Duration.ZERO);
        SettingCheck.atLeast("interrupt-grace", interruptGrace, Duration.ZERO);
        SettingCheck.holds(payloadMaxSize >= 1, "payload.max-size", payloadMaxSize, "must be 1 or more");
        SettingCheck.atLeast("unreadable-payload-after", unreadablePayloadAfter, Duration.ZERO);
    }
}
