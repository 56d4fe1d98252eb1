package io.delayjob.job;

/**
 * A fixed part of a queue's rows. Normally one instance has a lease of the partition, and so leads it.
 *
 * @param index 0 to {@value #MAX_PER_QUEUE} - 1
 */
public record Partition(String queue, int index) implements Comparable<Partition> {

    /** Maximum number of partitions of a queue. */
    public static final int MAX_PER_QUEUE = 1_024;

    public Partition {
        if (index < 0 || index >= MAX_PER_QUEUE) {
            throw new IllegalArgumentException("Invalid partition %d of queue '%s': must be from 0 to %d."
                    .formatted(index, queue, MAX_PER_QUEUE - 1));
        }
    }

    /**
     * Returns the partition for jobs that have this key as their mutex or as their rate key. The leader of this
     * partition decides when these jobs may start.
     */
    public static Partition ofKey(String queue, String key, int partitions) {
        return new Partition(queue, Math.floorMod(key.hashCode(), partitions));
    }

    @Override
    public int compareTo(Partition other) {
        int byQueue = queue.compareTo(other.queue);
        return byQueue != 0 ? byQueue : Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return queue + "-p" + index;
    }
}
