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
 * Contains the leases of this instance, and the times until which the instance trusts them.
 *
 * <pre>
 *   request          reply       renewed from            trusted until           expires
 *      |---------------|--------------|-----------------------|----------------------|
 *      '--------- 2/5 of the duration '                       |
 *      '------------------- 4/5 of the duration --------------'
 * </pre>
 *
 * <p>The trusted time is shorter than the lease, because clocks may drift. The reply to a request may be late.
 * Therefore the trusted time is counted from the moment before the request is sent. Only one thread changes the leases;
 * any thread may ask which partitions are led.
 */
final class HeldLeases {

    private final EngineClock clock;
    private final long durationNanos;
    private final Map<Partition, Held> held = new ConcurrentHashMap<>();
    private long terms;

    HeldLeases(EngineClock clock, long durationNanos) {
        this.clock = clock;
        this.durationNanos = durationNanos;
    }

    /**
     * @param beyondShareUntilNanos time until which the lease does not count towards this instance's share
     */
    void put(Partition partition, Lease lease, Request request, long beyondShareUntilNanos) {
        Held before = held.get(partition);
        long term = before != null && before.epoch == request.epoch && before.isTrusted(request.nanos)
                ? before.term
                : ++terms;
        held.put(
                partition,
                new Held(
                        lease,
                        request.nanos + durationNanos / 5 * 4,
                        request.nanos + durationNanos / 5 * 2,
                        beyondShareUntilNanos,
                        term,
                        request.epoch));
    }

    Request begin() {
        return new Request(clock.nanoTime(), clock.epoch());
    }

    /** @param nanos monotonic time just before the request */
    record Request(long nanos, int epoch) {}

    /**
     * Returns a number that changes if the lease was lost, even for a moment, or if the machine has slept. If the
     * number stays the same during some work, no other instance led the partition meanwhile. 0 means that this instance
     * is not the leader.
     */
    long term(Partition partition) {
        Held lease = held.get(partition);
        if (lease == null || !lease.isTrusted(clock.nanoTime())) {
            return 0;
        }
        return lease.epoch == clock.epoch() && clock.isSteady() ? lease.term : 0;
    }

    @Nullable
    Held remove(Partition partition) {
        return held.remove(partition);
    }

    Map<Partition, Held> all() {
        return new TreeMap<>(held);
    }

    List<Partition> led() {
        long now = clock.nanoTime();
        return held.entrySet().stream()
                .filter(entry -> entry.getValue().isTrusted(now))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

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

    List<Partition> counting(String queue, long nowNanos) {
        return held.entrySet().stream()
                .filter(entry -> entry.getKey().queue().equals(queue))
                .filter(entry -> nowNanos - entry.getValue().beyondShareUntilNanos >= 0)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    record Held(
            Lease lease, long trustedUntilNanos, long renewNanos, long beyondShareUntilNanos, long term, int epoch) {

        boolean isTrusted(long nowNanos) {
            return nowNanos - trustedUntilNanos < 0;
        }
    }
}
