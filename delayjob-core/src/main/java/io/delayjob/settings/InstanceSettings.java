package io.delayjob.settings;

import java.time.Duration;
import java.util.Objects;

/**
 * What an instance is.
 *
 * @param incarnation its name, unique to this start of this process
 * @param worker whether it runs handlers; otherwise it only schedules
 * @param stopAwait how long handlers may take to end when the engine stops, zero or more
 */
public record InstanceSettings(String incarnation, boolean worker, Duration stopAwait) {

    public InstanceSettings {
        Objects.requireNonNull(incarnation, "incarnation");
        SettingCheck.atLeast("shutdown.await", stopAwait, Duration.ZERO);
    }
}
