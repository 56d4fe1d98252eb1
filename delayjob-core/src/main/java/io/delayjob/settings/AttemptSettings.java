package io.delayjob.settings;

import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How jobs are attempted.
 *
 * @param retry the policy of handlers that state none
 * @param timeout the time-out of handlers that state none, 1 ms or more; {@code null}: none
 * @param maxSnooze for how long after its planned time a run may be put off by {@link io.delayjob.handler.Next#snooze},
 *     of handlers that state nothing about it; zero or more
 * @param interruptGrace how long an interrupted attempt may take to end before it is written off, zero or more
 * @param log which attempts are logged
 * @param payloadMaxSize longest payload, in characters, 1 or more
 * @param unreadablePayloadAfter how long a payload that cannot be read here is left to other instances, zero or more
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
