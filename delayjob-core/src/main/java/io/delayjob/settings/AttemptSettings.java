package io.delayjob.settings;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings for attempts.
 *
 * @param retry the default retry policy of handlers
 * @param timeout the default timeout of handlers, 1 ms or more; {@code null} means no timeout
 * @param maxSnooze how far {@link io.delayjob.handler.Next#snooze} may delay a run beyond its planned time; zero or
 *     more. Handlers may have their own maximum
 * @param interruptGrace how long the engine waits for the end of an interrupted attempt, zero or more
 * @param payloadMaxSize maximum length of a payload, in characters, 1 or more
 * @param unreadablePayloadAfter if this instance cannot read the payload of a job, how long the job waits for an
 *     instance that can read it; not negative
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
