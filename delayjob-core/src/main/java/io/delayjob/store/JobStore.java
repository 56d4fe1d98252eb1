package io.delayjob.store;

import java.time.Instant;
import java.util.List;

/**
 * The durable jobs. <em>The row is the truth</em>: only the conditional updates here decide what runs, whatever
 * memory, leases and cursors hold.
 *
 * <p><strong>Roles.</strong> Each of the interfaces that this one extends is one role, with the callers that need it:
 * <pre>
 *   applications   {@link JobSubmission}    new jobs
 *                  {@link JobChanges}       cancel, withdraw, reschedule, retry
 *                  {@link JobQueries}       find, attempts, counts
 *   engines        {@link DueJobs}          rows that become due, are overdue or were lost, by page
 *                  {@link JobTransitions}   claim, release, complete, rescue
 *                  {@link JobRetention}     forget what has ended long ago
 *                  {@link JobStatistics}    what happened in each minute, if the store keeps it
 *   both           {@link ClusterRegister}  instances, pauses, the clock, the store's identity
 * </pre>
 * The methods of this interface itself describe the store. They ask no server, and always return the same.
 *
 * <p><strong>Tokens.</strong> Every transition of a waiting or running row is conditional on the token that was read,
 * and sets the given fresh token. A token is never used twice. It has no order and no meaning: a store compares
 * tokens for equality only.
 *
 * <p><strong>Atomicity.</strong> Each transition changes its row as a whole or not at all, and the row's attempt log
 * and history with it. The rows of one call may change separately, unless a method says otherwise.
 *
 * <p><strong>Time.</strong> No statement judges time by the store's clock: every instant is an argument, in store
 * time and whole milliseconds. Only {@link #clockMicros()} reads the store's clock.
 *
 * <p><strong>Transactions.</strong> {@link JobSubmission}, {@link JobChanges}, {@link JobQueries}, {@link #pause},
 * {@link #resume} and {@link #paused} join the caller's transaction if the store {@linkplain
 * StoreCapability#CALLER_TRANSACTIONS can}. They pass the rows that then wait to the given {@link DueSink} after the
 * commit, never before it, and not at all after a rollback. All other methods run in their own short transactions.
 *
 * <p><strong>Errors.</strong> All methods throw {@link StoreException}; a call that failed with a {@linkplain
 * StoreException#isTransient() transient} one may succeed when repeated. After an error the transition may or may not
 * have been applied: every method for engines can be repeated with the same arguments.
 *
 * <p><strong>Name.</strong> {@code toString()} names the store in a few words, without secrets, such as
 * "PostgreSQL 18.1, prefix delayjob_", for the log of a start.
 *
 * <p>Thread-safe. Collections in arguments hold at most a few thousand elements.
 */
public interface JobStore
        extends JobSubmission,
                JobChanges,
                JobQueries,
                DueJobs,
                JobTransitions,
                JobRetention,
                JobStatistics,
                ClusterRegister {

    /** Returns the abilities of this store. Callers ask here, and never check the class of a store. */
    StoreCapabilities capabilities();

    /** Returns the placement of jobs. Default: where the engine proposes, all in one group. */
    default JobPlacement placement() {
        return JobPlacement.AS_PROPOSED;
    }

    /**
     * Returns the maximum length of a payload that is read, in bytes of UTF-8. A longer payload stays in the store,
     * so that it cannot exhaust the heap. Methods that return jobs then set {@link io.delayjob.job.Job#oversize()}
     * instead. Transitions keep the payload, whatever its length.
     */
    long maxPayloadBytes();

    /**
     * Returns the transactions in which atomic handlers are called. A store without {@link
     * StoreCapability#HANDLER_TRANSACTIONS} does not override this method: an engine with atomic handlers then
     * refuses to start, and a call is refused.
     */
    default HandlerTransactions handlerTransactions() {
        return (work, timeout) -> {
            throw StoreException.lacking(this, StoreCapability.HANDLER_TRANSACTIONS);
        };
    }

    /** A store without {@link StoreCapability#STATISTICS} leaves this as it is: it refuses. */
    @Override
    default void recordMinutes(long owner, List<MinuteRow> rows) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }

    /** A store without {@link StoreCapability#STATISTICS} leaves this as it is: it refuses. */
    @Override
    default List<MinuteSum> minutes(MinuteSpan span) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }

    /** A store without {@link StoreCapability#STATISTICS} leaves this as it is: it refuses. */
    @Override
    default boolean purgeMinutes(Instant before) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }
}
