package io.delayjob.store;

/**
 * An ability that some stores have and other stores lack. If a call needs an ability that the store lacks, the call is
 * refused. The message describes the ability.
 */
public enum StoreCapability {
    /**
     * Calls by an application join the open transaction of the caller. If a store lacks this ability, the changes of a
     * call are durable when the call returns. They stay even if the caller's transaction rolls back.
     */
    CALLER_TRANSACTIONS("join the caller's transaction"),

    /** The store calls atomic handlers in {@linkplain JobStore#handlerTransactions() its own transactions}. */
    HANDLER_TRANSACTIONS("call atomic handlers in its transactions"),

    /**
     * A batch of new jobs with {@link io.delayjob.job.OnExisting#FAIL} is written as a whole or not at all, even if its
     * jobs are in several {@linkplain JobPlacement#groupOf groups}. Without this ability, all jobs of such a batch must
     * be in one group.
     */
    BATCHES_ACROSS_GROUPS("write a batch as a whole if it belongs to several groups of partitions"),

    /**
     * New jobs may have {@linkplain JobSubmission#submitOnce ids that the caller gives}. If a job has a key, the store
     * may make the job's id from the given id, the name and the key. Without this ability, the store chooses a part of
     * each id.
     */
    GIVEN_IDS("keep an id that the caller gives"),

    /**
     * A query may find jobs of all states ({@link JobQuery#all()}). Without this ability, each query must name exactly
     * one state.
     */
    QUERIES_OF_ALL_STATES("find jobs of all states in one query"),

    /**
     * The store keeps the {@linkplain JobStatistics statistics of each minute}. If a store lacks this ability, each
     * instance knows only its own numbers, for the last hour.
     */
    STATISTICS("keep the numbers of each minute"),

    /**
     * Jobs may be members of {@linkplain JobGroups groups}. Without this ability, a call that names a group is refused.
     */
    GROUPS("keep groups of jobs");

    private final String ability;

    StoreCapability(String ability) {
        this.ability = ability;
    }

    /**
     * Returns a verb and its object, such as "join the caller's transaction". Messages use this text to say what a
     * store with this ability can do.
     */
    public String ability() {
        return ability;
    }
}
