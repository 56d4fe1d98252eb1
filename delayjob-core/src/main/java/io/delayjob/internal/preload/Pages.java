package io.delayjob.internal.preload;

/** How many rows are read at a time. */
final class Pages {

    /** So many partitions are read in full batches at once; of more, each gets the less. */
    private static final int FULL_BATCHES = 8;

    /** So many rows are looked at in one statement, whatever their names: a few milliseconds' worth. */
    private static final int LOOKED_AT = 5_000;

    private Pages() {}

    /** The most rows of each partition that one page may hold. */
    static int perPartition(int batchSize, int partitions) {
        return Math.max(1, Math.min(batchSize, batchSize * FULL_BATCHES / Math.max(1, partitions)));
    }

    /** The most rows of each partition that one page of at most {@code rows} looks through. */
    static int lookedAt(int rows, int partitions) {
        return Math.max(rows, LOOKED_AT / Math.max(1, partitions));
    }
}
