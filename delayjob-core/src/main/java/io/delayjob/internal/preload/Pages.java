package io.delayjob.internal.preload;

final class Pages {

    /**
     * Up to this number of partitions, each partition gets a full batch. If there are more partitions, they share these
     * batches.
     */
    private static final int FULL_BATCHES = 8;

    /** Maximum number of rows that one statement reads. */
    private static final int LOOKED_AT = 5_000;

    private Pages() {}

    static int perPartition(int batchSize, int partitions) {
        return Math.max(1, Math.min(batchSize, batchSize * FULL_BATCHES / Math.max(1, partitions)));
    }

    static int lookedAt(int rows, int partitions) {
        return Math.max(rows, LOOKED_AT / Math.max(1, partitions));
    }
}
