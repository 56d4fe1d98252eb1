package io.delayjob.settings;

import java.time.Duration;

/**
 * The settings of the sweeps, which search the store for overdue rows.
 *
 * @param interval the pause between two sweeps, 10 ms or more
 * @param grace how long a row must be overdue before the sweep takes it, zero or more
 * @param adoptAfter how long a row must be overdue before any instance may take it; the minimum is {@code grace}
 */
public record SweepSettings(Duration interval, Duration grace, Duration adoptAfter) {

    public SweepSettings {
        SettingCheck.atLeast("sweep.interval", interval, Duration.ofMillis(10));
        SettingCheck.atLeast("sweep.grace", grace, Duration.ZERO);
        SettingCheck.holds(
                adoptAfter.compareTo(grace) >= 0,
                "sweep.adopt-after",
                adoptAfter,
                "must be at least %s, the value of delayjob.sweep.grace; raise delayjob.sweep.adopt-after, or lower delayjob.sweep.grace"
                        .formatted(grace));
    }
}
