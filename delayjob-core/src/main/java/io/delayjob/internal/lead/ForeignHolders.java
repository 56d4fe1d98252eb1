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
 * at most its share of a queue. Then this instance gets all remaining partitions. If this instance does not get them,
 * an unregistered process holds them. Used by one thread.
 */
final class ForeignHolders {

    private static final Logger log = LoggerFactory.getLogger(ForeignHolders.class);

    /**
     * Number of lease durations before a warning. An instance may lead more than its share for up to five lease
     * durations. After that, another instance takes up to three lease durations to get its own share.
     */
    private static final int PATIENCE_IN_LEASES = 8;

    private final long patienceNanos;
    private final Map<String, Long> shortSinceNanos = new HashMap<>();
    private final Set<String> warnedOf = new HashSet<>();

    ForeignHolders(Duration leaseDuration) {
        this.patienceNanos = leaseDuration.multipliedBy(PATIENCE_IN_LEASES).toNanos();
    }

    /**
     * Checks the number of partitions that this instance leads after it has tried to get its share. Warns once if the
     * number has been too low for eight lease durations.
     *
     * @return whether it has logged a warning
     */
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
                    "This instance holds the leases of {} of {} partitions of queue '{}', and has waited {} "
                            + "for more leases. Registered instances that share these partitions: {}. An unregistered "
                            + "process holds the other leases, so jobs in those partitions start late. Look for a "
                            + "program that uses the same locks, or give a copy of these tables its own identity "
                            + "(docs/databases.md).",
                    led,
                    share.partitions(),
                    queue,
                    Duration.ofNanos(nowNanos - since).truncatedTo(ChronoUnit.SECONDS),
                    share.sharers());
        }
        return warns;
    }

    /** Forgets all other queues, because they no longer have partitions. */
    void retain(Set<String> queues) {
        shortSinceNanos.keySet().retainAll(queues);
        warnedOf.retainAll(queues);
    }

    /**
     * How many instances share the partitions of a queue.
     *
     * @param sharers number of live instances that share the partitions, including this instance; 0 if only others run
     *     jobs of the queue
     */
    record Share(int partitions, int sharers) {

        /** Returns the maximum number of partitions that this instance leads, unless other partitions stay free. */
        int most() {
            return sharers == 0 ? 0 : (partitions + sharers - 1) / sharers;
        }

        /** Returns the number of partitions that remain if each other instance has its full share. */
        int leftByOthers() {
            return sharers == 0 ? 0 : Math.max(0, partitions - (sharers - 1) * most());
        }
    }
}
