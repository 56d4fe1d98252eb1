package io.delayjob.store;

/**
 * An ability that some stores have and other stores lack. A store refuses a call that needs an ability which the store
 * lacks.
 */
public enum StoreCapability {
    /**
     * Calls by an application join the open transaction of the caller. Without this ability, the changes of a call
     * remain even if the caller's transaction rolls back.
     */
    CALLER_TRANSACTIONS("join the caller's transaction"),

    /** The store calls atomic handlers in {@linkplain JobStore#handlerTransactions() its own transactions}. */
    HANDLER_TRANSACTIONS("call atomic handlers in its transactions"),

    /**
     * A batch of new jobs with {@link io.delayjob.job.OnExisting#FAIL} is written as a whole or not at all. The jobs
     * may be in several {@linkplain JobPlacement#groupOf groups of partitions}. Without this ability, all jobs of the
     * batch must be in one group of partitions.
     */
    BATCHES_ACROSS_GROUPS("write a batch as a whole if it belongs to several groups of partitions"),

    /**
     * New jobs may have {@linkplain JobSubmission#submitOnce ids that the caller gives}. The store keeps the id of a
     * job without a key. For a job with a key, the store may compute another id from the given id, the name and the
     * key.
     */
    GIVEN_IDS("keep an id that the caller gives"),

    /**
     * A query may find jobs of all states ({@link JobQuery#all()}). Without this ability, each query must name one
     * state.
     */
    QUERIES_OF_ALL_STATES("find jobs of all states in one query"),

    /**
     * The store keeps the {@linkplain JobStatistics statistics of each minute}. Without this ability, each instance
     * keeps only its own statistics, for the last hour.
     */
    STATISTICS("keep the numbers of each minute"),

    /** Jobs may be members of {@linkplain JobGroups groups}. */
    GROUPS("keep groups of jobs");

    private final String ability;

    StoreCapability(String ability) {
        this.ability = ability;
    }

    /** Returns the ability as a text for messages, such as "join the caller's transaction". */
    public String ability() {
        return ability;
    }
}
