package io.delayjob.store;

/**
 * The jobs, durable. <em>The row is the truth</em>: whatever memory, leases and cursors hold, only the conditional
 * updates here decide what runs.
 *
 * <p><strong>Roles.</strong> Each of the interfaces that this one extends is one role, with the callers that need it:
 * <pre>
 *   applications   {@link JobSubmission}    new jobs
 *                  {@link JobChanges}       cancel, withdraw, reschedule, retry
 *                  {@link JobQueries}       find, attempts, counts
 *   engines        {@link DueJobs}          what comes due, is overdue or was lost, page by page
 *                  {@link JobTransitions}   claim, release, complete, rescue
 *                  {@link JobRetention}     forget what has ended long ago
 *   both           {@link ClusterRegister}  instances, pauses, the clock, the store's identity
 * </pre>
 * The methods of this interface itself tell what the store is. They ask no server, and always answer the same.
 *
 * <p><strong>Tokens.</strong> Every transition of a waiting or running row is conditional on the token that was read,
 * and sets the fresh one that it is handed. A token is never used twice. It has no order and no meaning: a store
 * compares tokens for equality only.
 *
 * <p><strong>Atomicity.</strong> Each transition changes its row as a whole or not at all, and the row's attempt log
 * and history with it. Rows of one call need not change together, unless a method says so.
 *
 * <p><strong>Time.</strong> No statement judges time by the store's clock: every instant is handed in, in store time
 * and whole milliseconds. Only {@link #clockMicros()} reads the store's clock.
 *
 * <p><strong>Transactions.</strong> {@link JobSubmission}, {@link JobChanges}, {@link JobQueries}, {@link #pause}, {@link
 * #resume} and {@link #paused} join the caller's transaction if the store {@linkplain StoreCapability#CALLER_TRANSACTIONS
 * can}. They hand rows that are then waiting to the given {@link DueSink} once it has committed, never before, and not
 * at all when it rolls back. Everything else runs in short transactions of its own.
 *
 * <p><strong>Errors.</strong> All methods throw {@link StoreException}; those that are {@linkplain
 * StoreException#isTransient() transient} may succeed when repeated. After an error the transition may or may not have
 * been applied: every method for engines can be repeated with the same arguments.
 *
 * <p><strong>Name.</strong> {@code toString()} names the store in a few words, without secrets, such as
 * "PostgreSQL 18.1, prefix delayjob_", for the log of a start.
 *
 * <p>Thread-safe. Collections passed in hold at most a few thousand elements.
 */
public interface JobStore
        extends JobSubmission, JobChanges, JobQueries, DueJobs, JobTransitions, JobRetention, ClusterRegister {

    /** What this store can do. Callers ask here, and nowhere for the class of a store. */
    StoreCapabilities capabilities();

    /** Where jobs lie; by default where the engine proposes, all in one group. */
    default JobPlacement placement() {
        return JobPlacement.AS_PROPOSED;
    }

    /**
     * Maximum length of a payload that is read, in bytes of UTF-8. A longer one stays in the store, so that it cannot
     * exhaust the heap; every method that returns jobs has {@link io.delayjob.job.Job#oversize()} in its place.
     * Transitions keep the payload, whatever its length.
     */
    long maxPayloadBytes();

    /**
     * Transactions in which atomic handlers are called. A store without {@link StoreCapability#HANDLER_TRANSACTIONS}
     * leaves this as it is: an engine with atomic handlers then refuses to start, and a call is refused.
     */
    default HandlerTransactions handlerTransactions() {
        return (work, timeout) -> {
            throw StoreException.lacking(this, StoreCapability.HANDLER_TRANSACTIONS);
        };
    }
}
