package io.delayjob.settings;

import java.time.Duration;

/**
 * Contains the settings for the leases and heartbeats of instances in a cluster.
 *
 * @param leaseDuration the time for which the lease of a partition lasts without renewal, 500 ms or more
 * @param liveness the time for which an instance counts as alive after its last heartbeat, at least three heartbeats.
 *     When this time is over, the attempts of the instance count as lost
 * @param heartbeat the pause between two heartbeats, 50 ms or more
 */
public record ClusterSettings(Duration leaseDuration, Duration liveness, Duration heartbeat) {

    public ClusterSettings {
        SettingCheck.atLeast("lease.duration", leaseDuration, Duration.ofMillis(500));
        SettingCheck.atLeast("heartbeat", heartbeat, Duration.ofMillis(50));
        SettingCheck.holds(
                liveness.compareTo(heartbeat.multipliedBy(3)) >= 0,
                "liveness",
                liveness,
                "must be at least %s, three times delayjob.heartbeat; raise delayjob.liveness, or lower delayjob.heartbeat"
                        .formatted(heartbeat.multipliedBy(3)));
    }
}
