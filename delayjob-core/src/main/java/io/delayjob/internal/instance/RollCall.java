package io.delayjob.internal.instance;

import io.delayjob.store.InstanceRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports once which instances have joined or left the cluster. Only one thread may use this object. */
final class RollCall {

    private final ClusterListener listener;
    private final long heartbeatNanos;
    private @Nullable Map<Long, Watch> last;
    private long lastOwn;

    RollCall(ClusterListener listener, long heartbeatNanos) {
        this.listener = listener;
        this.heartbeatNanos = heartbeatNanos;
    }

    /** @param any whether an instance has left, has joined, or has begun or stopped claiming jobs */
    record Changes(boolean someLeft, boolean any) {}

    /** @param afterGap whether the last read was so long ago that the reasons for leaving are unknown */
    Changes call(List<Watch> present, long own, long now, boolean afterGap) {
        Map<Long, Watch> before = last == null ? Map.of() : last;
        Map<Long, Watch> current = new HashMap<>();
        boolean any = false;
        for (Watch watch : present) {
            InstanceRow row = watch.instance();
            Watch known = before.get(row.number());
            current.put(row.number(), watch);
            any |= known == null || known.instance().stopping() != row.stopping();
            // The others that the first call finds were there before this instance.
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
