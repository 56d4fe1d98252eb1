package io.delayjob.store;

/** An ability that some stores have and others lack. A call that needs a missing one is refused by name. */
public enum StoreCapability {
    /**
     * Calls for applications take part in the transaction that the caller has open. Without it they are durable when
     * they return, whatever becomes of the caller's transaction.
     */
    CALLER_TRANSACTIONS("join the caller's transaction"),

    /** Atomic handlers are called in {@linkplain JobStore#handlerTransactions() transactions of the store}. */
    HANDLER_TRANSACTIONS("call atomic handlers in its transactions"),

    /**
     * A batch of new jobs with {@link io.delayjob.job.OnExisting#FAIL} is written as a whole or not at all, even if its
     * jobs lie in several {@linkplain JobPlacement#groupOf groups}. Without it such a batch keeps to one group.
     */
    BATCHES_ACROSS_GROUPS("write a batch in several groups of partitions as a whole"),

    /** Pages of jobs may leave the state open ({@link JobQuery#all()}). Without it each query names one state. */
    QUERIES_OF_ALL_STATES("find jobs of all states in one query");

    private final String ability;

    StoreCapability(String ability) {
        this.ability = ability;
    }

    /** What a store with this can do, for messages: a verb and its object. */
    public String ability() {
        return ability;
    }
}
