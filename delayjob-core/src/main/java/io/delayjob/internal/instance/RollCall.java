package io.delayjob.internal.instance;

import io.delayjob.store.InstanceRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Notices which instances come and go, and tells of each once. Used by one thread. */
final class RollCall {

    private final ClusterListener listener;
    private final long heartbeatNanos;
    private @Nullable Map<Long, Watch> last;
    private long lastOwn;

    RollCall(ClusterListener listener, long heartbeatNanos) {
        this.listener = listener;
        this.heartbeatNanos = heartbeatNanos;
    }

    /**
     * What differs from the call before.
     *
     * @param someLeft whether an instance is gone
     * @param any whether an instance is gone, has come, or takes work where it took none before, or the reverse
     */
    record Changes(boolean someLeft, boolean any) {}

    /**
     * Calls the roll.
     *
     * @param present the instances that are registered and not silent
     * @param own the number of this one
     * @param afterGap whether this one could not look for so long that it cannot tell why others are gone
     */
    Changes call(List<Watch> present, long own, long now, boolean afterGap) {
        Map<Long, Watch> before = last == null ? Map.of() : last;
        Map<Long, Watch> current = new HashMap<>();
        boolean any = false;
        for (Watch watch : present) {
            InstanceRow row = watch.instance();
            Watch known = before.get(row.number());
            current.put(row.number(), watch);
            any |= known == null || known.instance().stopping() != row.stopping();
            // Those that were there before this one have not just come.
            if (known == null && (last != null || row.number() == own)) {
                listener.instanceJoined(row);
            }
        }
        boolean someLeft = false;
        for (Watch watch : before.values()) {
            long number = watch.instance().number();
            if (!current.containsKey(number)) {
                someLeft = true;
                boolean isGivenUp = number == lastOwn || (!afterGap && watch.isLate(now, heartbeatNanos));
                tellOf(watch, isGivenUp ? Duration.ofNanos(now - watch.sinceNanos()) : null);
            }
        }
        last = current;
        lastOwn = own;
        return new Changes(someLeft, any || someLeft);
    }

    private void tellOf(Watch gone, @Nullable Duration silence) {
        if (silence == null) {
            listener.instanceLeft(gone.instance());
        } else {
            listener.instanceGivenUp(gone.instance(), silence);
        }
    }
}
