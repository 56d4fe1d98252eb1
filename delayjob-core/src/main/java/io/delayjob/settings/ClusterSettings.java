package io.delayjob.settings;

import java.time.Duration;

/**
 * How instances share the work and watch each other.
 *
 * @param leaseDuration how long a partition's lease lasts without renewal, 500 ms or more
 * @param liveness how long an instance may be silent before its attempts are given up for lost, at least three
 *     heartbeats
 * @param heartbeat pause between two heartbeats, 50 ms or more
 */
public record ClusterSettings(Duration leaseDuration, Duration liveness, Duration heartbeat) {

    public ClusterSettings {
        SettingCheck.atLeast("lease.duration", leaseDuration, Duration.ofMillis(500));
        SettingCheck.atLeast("heartbeat", heartbeat, Duration.ofMillis(50));
        SettingCheck.holds(
                liveness.compareTo(heartbeat.multipliedBy(3)) >= 0,
                "liveness",
                liveness,
                "must be at least three times heartbeat, that is %s; raise it, or lower delayjob.heartbeat"
                        .formatted(heartbeat.multipliedBy(3)));
    }
}
