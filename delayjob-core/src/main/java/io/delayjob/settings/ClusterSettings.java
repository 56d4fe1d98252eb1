package io.delayjob.settings;

import java.time.Duration;

/**
 * Contains the settings for the leases and heartbeats of instances in a cluster.
 *
 * @param leaseDuration how long the lease of a partition lasts if it is not renewed, 500 ms or more
 * @param liveness a time of at least three heartbeats. For this time after its last heartbeat, an instance is regarded
 *     as alive. When this time is over, the attempts of the instance are regarded as lost
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
