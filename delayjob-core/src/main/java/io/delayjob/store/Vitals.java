package io.delayjob.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an instance tells about itself with its heartbeats, for people to read: a store keeps it as {@linkplain
 * VitalsText#write text} of at most {@value VitalsText#MAX_LENGTH} characters, and decides nothing by it. Immutable.
 *
 * @param version version of delayjob that it runs; {@code null} if unknown
 * @param since when it started, by store time
 * @param clockSkew store time minus the clock of its machine
 * @param memory its jobs in memory
 * @param rates how much it does
 * @param queues the queues that it works or leads partitions of
 */
public record Vitals(
        @Nullable String version,
        Instant since,
        Duration clockSkew,
        Memory memory,
        Rates rates,
        List<QueueUse> queues) {

    public Vitals {
        queues = List.copyOf(queues);
    }

    /**
     * Jobs in memory.
     *
     * @param waiting number of jobs in the wheel
     * @param ready number of jobs that are due and not claimed
     * @param capacity maximum number of both together
     */
    public record Memory(int waiting, int ready, int capacity) {}

    /**
     * What an instance does.
     *
     * @param startsPerSecond calls of handlers, over the last ten seconds or a little more
     * @param endsPerSecond attempts whose end was written, over the same time
     * @param late calls of handlers of the last five minutes, by their lateness: one number for each of {@link
     *     MinuteCounts#BOUNDS}, and one more
     */
    public record Rates(double startsPerSecond, double endsPerSecond, List<Long> late) {

        public Rates {
            late = List.copyOf(late);
        }
    }

    /**
     * A queue as one instance works it.
     *
     * @param queue its name
     * @param concurrency number of slots; 0 if the instance does not work it
     * @param running number of slots that attempts have taken
     * @param claimed number of jobs that are claimed and about to start
     * @param partitions indexes of the partitions that the instance leads, in order
     */
    public record QueueUse(String queue, int concurrency, int running, int claimed, List<Integer> partitions) {

        public QueueUse {
            partitions = List.copyOf(partitions);
        }
    }
}
