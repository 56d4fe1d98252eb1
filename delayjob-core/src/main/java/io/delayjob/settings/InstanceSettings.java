package io.delayjob.settings;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of a single instance.
 *
 * @param incarnation the name of the instance, unique to this start of this process
 * @param worker whether it runs handlers; otherwise it only schedules
 * @param stopAwait the time for which a stopping engine waits for running handlers, zero or more
 */
public record InstanceSettings(String incarnation, boolean worker, Duration stopAwait) {

    public InstanceSettings {
        Objects.requireNonNull(incarnation, "incarnation");
        SettingCheck.atLeast("shutdown.await", stopAwait, Duration.ZERO);
    }
}
