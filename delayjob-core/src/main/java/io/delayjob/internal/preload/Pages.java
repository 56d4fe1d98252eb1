package io.delayjob.internal.preload;

/** Computes how many rows are read at a time. */
final class Pages {

    /**
     * If there are at most this many partitions, each partition gets a full batch of rows. If there are more
     * partitions, they share the rows of this number of full batches.
     */
    private static final int FULL_BATCHES = 8;

    /**
     * Maximum number of rows that one statement reads, for all names together. One statement reads this number of rows
     * within a few milliseconds.
     */
    private static final int LOOKED_AT = 5_000;

    private Pages() {}

    static int perPartition(int batchSize, int partitions) {
        return Math.max(1, Math.min(batchSize, batchSize * FULL_BATCHES / Math.max(1, partitions)));
    }

    /**
     * Returns how many rows of each partition a statement may look at to find {@code rows} rows.
     */
    static int lookedAt(int rows, int partitions) {
        return Math.max(rows, LOOKED_AT / Math.max(1, partitions));
    }
}
