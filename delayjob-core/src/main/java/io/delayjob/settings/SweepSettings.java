package io.delayjob.settings;

import java.time.Duration;

/**
 * How overdue rows are found.
 *
 * @param interval pause between two sweeps, 10 ms or more
 * @param grace how long a row is overdue before the sweep takes it, zero or more
 * @param adoptAfter how long a row is overdue before any instance may take it, at least the grace
 */
public record SweepSettings(Duration interval, Duration grace, Duration adoptAfter) {

    public SweepSettings {
        SettingCheck.atLeast("sweep.interval", interval, Duration.ofMillis(10));
        SettingCheck.atLeast("sweep.grace", grace, Duration.ZERO);
        SettingCheck.holds(
                adoptAfter.compareTo(grace) >= 0,
                "sweep.adopt-after",
                adoptAfter,
                "must be at least sweep.grace, that is %s; raise it, or lower delayjob.sweep.grace".formatted(grace));
    }
}
