package io.delayjob.lease;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that leases are held by somebody who is not in the register. The other instances that share a queue hold at
 * most their shares for long; what is left must come to this instance. Used by one thread.
 */
final class ForeignHolders {

    private static final Logger log = LoggerFactory.getLogger(ForeignHolders.class);

    /** An instance may lead beyond its share for five leases, and another one takes its own share within three more. */
    private static final int PATIENCE_IN_LEASES = 8;

    private final long patienceNanos;
    private final Map<String, Long> shortSinceNanos = new HashMap<>();
    private final Set<String> warnedOf = new HashSet<>();

    ForeignHolders(Duration leaseDuration) {
        this.patienceNanos = leaseDuration.multipliedBy(PATIENCE_IN_LEASES).toNanos();
    }

    /**
     * Takes note of what this instance leads after it has tried to get its share; warns once when that has been too
     * little for eight leases.
     *
     * @return whether it warned
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
                    "This instance leads {} of {} partitions of queue '{}' and has been refused others for {}. Live instances of its register that share them: {}. Somebody who is not in the register holds their leases, and jobs start late. Look for a program that uses the same locks; give a copied database an identity of its own.",
                    led,
                    share.partitions(),
                    queue,
                    Duration.ofNanos(nowNanos - since).truncatedTo(ChronoUnit.SECONDS),
                    share.sharers());
        }
        return warns;
    }

    /**
     * Who shares the partitions of a queue.
     *
     * @param sharers the live instances that share them, this one included; 0 when only others work the queue
     */
    record Share(int partitions, int sharers) {

        /** How many this instance leads at most, unless nobody takes the others. */
        int most() {
            return sharers == 0 ? 0 : (partitions + sharers - 1) / sharers;
        }

        /** How many the others leave when each leads as many as it may. */
        int leftByOthers() {
            return sharers == 0 ? 0 : Math.max(0, partitions - (sharers - 1) * most());
        }
    }
}
