package io.delayjob.internal.lead;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a process that is not in the register holds leases. After some time, each registered instance holds
 * at most its share of the leases. If too few leases are then left for this instance, a process outside the register
 * holds some of them. Only one thread may use this object.
 */
final class ForeignHolders {

    private static final Logger log = LoggerFactory.getLogger(ForeignHolders.class);

    /**
     * Number of lease durations before a warning. Registered instances may need up to eight lease durations until each
     * instance has its share.
     */
    private static final int PATIENCE_IN_LEASES = 8;

    private final long patienceNanos;
    private final Map<String, Long> shortSinceNanos = new HashMap<>();
    private final Set<String> warnedOf = new HashSet<>();

    ForeignHolders(Duration leaseDuration) {
        this.patienceNanos = leaseDuration.multipliedBy(PATIENCE_IN_LEASES).toNanos();
    }

    boolean look(String queue, Share share, int led, long nowNanos) {
        if (led >= share.leftByOthers()) {
            shortSinceNanos.remove(queue);
            warnedOf.remove(queue);
            return false;
        }
        long since = shortSinceNanos.computeIfAbsent(queue, first -> nowNanos);
        boolean warns = nowNanos - since >= patienceNanos && warnedOf.add(queue);
        if (warns) {
            log.warn(
                    "Some jobs start late, because an unknown process holds leases of queue '{}'. The process is not a "
                            + "registered instance. In the last {}, the instance that logs this has led only {} of the {} "
                            + "partitions of the queue. Live instances that should share these partitions: {}. Look "
                            + "for a program that takes the same leases. If this database is a copy of another one, "
                            + "give the copy its own identity (docs/databases.md).",
                    queue,
                    Duration.ofNanos(nowNanos - since).truncatedTo(ChronoUnit.SECONDS),
                    led,
                    share.partitions(),
                    share.sharers());
        }
        return warns;
    }

    void retain(Set<String> queues) {
        shortSinceNanos.keySet().retainAll(queues);
        warnedOf.retainAll(queues);
    }

    /**
     * @param sharers number of live instances that share the partitions, including this one; 0 if only other processes
     *     run the queue
     */
    record Share(int partitions, int sharers) {

        int most() {
            return sharers == 0 ? 0 : (partitions + sharers - 1) / sharers;
        }

        int leftByOthers() {
            return sharers == 0 ? 0 : Math.max(0, partitions - (sharers - 1) * most());
        }
    }
}
