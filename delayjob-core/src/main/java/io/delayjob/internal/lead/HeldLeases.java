package io.delayjob.internal.lead;

import io.delayjob.job.Partition;
import io.delayjob.lease.Lease;
import io.delayjob.time.EngineClock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases of this instance, and the times until which it trusts them.
 *
 * <pre>
 *   request          reply       renewed from            trusted until           expires
 *      |---------------|--------------|-----------------------|----------------------|
 *      '--------- 2/5 of the duration '                       |
 *      '------------------- 4/5 of the duration --------------'
 * </pre>
 *
 * <p>A lease is trusted for less time than it lasts, counted from before the request, because clocks may drift and
 * replies may be late. One thread changes the leases. Any thread may ask which partitions are led.
 */
final class HeldLeases {

    private final EngineClock clock;
    private final long durationNanos;
    private final Map<Partition, Held> held = new ConcurrentHashMap<>();

    HeldLeases(EngineClock clock, long durationNanos) {
        this.clock = clock;
        this.durationNanos = durationNanos;
    }

    /**
     * Adds a lease, or replaces it after its renewal.
     *
     * @param requestNanos time before the lease was requested
     * @param beyondShareUntilNanos time until which the lease does not count as a part of the share
     */
    void put(Partition partition, Lease lease, long requestNanos, long beyondShareUntilNanos) {
        held.put(
                partition,
                new Held(
                        lease,
                        requestNanos + durationNanos / 5 * 4,
                        requestNanos + durationNanos / 5 * 2,
                        beyondShareUntilNanos));
    }

    /** Returns the removed lease; {@code null} if it is not held. */
    @Nullable
    Held remove(Partition partition) {
        return held.remove(partition);
    }

    /** Returns a copy of the leases, in the order of the partitions. */
    Map<Partition, Held> all() {
        return new TreeMap<>(held);
    }

    /** Returns the partitions of trusted leases, in order. */
    List<Partition> led() {
        long now = clock.nanoTime();
        return held.entrySet().stream()
                .filter(entry -> entry.getValue().isTrusted(now))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Returns how many of the first {@code first} partitions of this queue have trusted leases. */
    int led(String queue, int first) {
        long now = clock.nanoTime();
        int led = 0;
        for (Map.Entry<Partition, Held> entry : held.entrySet()) {
            Partition partition = entry.getKey();
            if (partition.index() < first
                    && partition.queue().equals(queue)
                    && entry.getValue().isTrusted(now)) {
                led++;
            }
        }
        return led;
    }

    /** Returns the partitions of this queue whose leases count as a part of the share, in order. */
    List<Partition> counting(String queue, long nowNanos) {
        return held.entrySet().stream()
                .filter(entry -> entry.getKey().queue().equals(queue))
                .filter(entry -> nowNanos - entry.getValue().beyondShareUntilNanos >= 0)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    record Held(Lease lease, long trustedUntilNanos, long renewNanos, long beyondShareUntilNanos) {

        boolean isTrusted(long nowNanos) {
            return nowNanos - trustedUntilNanos < 0;
        }
    }
}
