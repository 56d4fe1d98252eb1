package io.delayjob.internal.instance;

import io.delayjob.status.Sighting;
import io.delayjob.store.InstanceRow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * @param sinceNanos monotonic time at which the observer first saw the present heartbeat counter
 * @param heard whether the observer has seen the counter change
 */
record Watch(InstanceRow instance, long sinceNanos, boolean heard) {

    static Watch of(InstanceRow row, @Nullable Watch before, long now) {
        if (before == null) {
            return new Watch(row, now, false);
        }
        boolean moved = before.instance.beats() != row.beats();
        return new Watch(row, moved ? now : before.sinceNanos, moved || before.heard);
    }

    boolean isLate(long now, long heartbeatNanos) {
        return now - sinceNanos > 2 * heartbeatNanos;
    }

    Sighting sighting(long now, long heartbeatNanos) {
        Sighting.Heart heart = heard ? Sighting.Heart.BEATING : Sighting.Heart.UNHEARD;
        return new Sighting(
                instance,
                Duration.ofNanos(Math.max(0, now - sinceNanos)),
                isLate(now, heartbeatNanos) ? Sighting.Heart.LATE : heart);
    }
}
