package io.delayjob.settings;

import java.time.Duration;

/**
 * The settings for leases and heartbeats of instances.
 *
 * @param leaseDuration how long the lease of a partition lasts if it is not renewed, 500 ms or more
 * @param liveness how long an instance counts as alive after its last heartbeat; at least three times {@code
 *     heartbeat}. After this time, its attempts count as lost
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
