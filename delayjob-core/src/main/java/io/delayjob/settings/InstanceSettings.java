package io.delayjob.settings;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings of a single instance.
 *
 * @param incarnation the name of the instance; each start of a process must have a different name
 * @param worker whether the instance runs handlers; if not, it only schedules jobs
 * @param stopAwait how long a stopping engine waits for running handlers, zero or more
 */
public record InstanceSettings(String incarnation, boolean worker, Duration stopAwait) {

    public InstanceSettings {
        Objects.requireNonNull(incarnation, "incarnation");
        SettingCheck.atLeast("shutdown.await", stopAwait, Duration.ZERO);
    }
}
