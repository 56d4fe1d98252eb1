package io.delayjob.preload;

/** How many rows are read at a time. */
final class Pages {

    /** So many partitions are read in full batches at once; of more, each gets the less. */
    private static final int FULL_BATCHES = 8;

    private Pages() {}

    /** The most rows of each partition that one page may hold. */
    static int perPartition(int batchSize, int partitions) {
        return Math.max(1, Math.min(batchSize, batchSize * FULL_BATCHES / Math.max(1, partitions)));
    }
}
