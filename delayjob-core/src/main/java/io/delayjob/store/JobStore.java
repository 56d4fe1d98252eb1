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
 *                  {@link JobRetention}     delete jobs that ended long ago
 *                  {@link JobStatistics}    what happened in each minute, if the store keeps it
 *   both           {@link ClusterRegister}  instances, pauses, the clock, the store's identity
 * </pre>
 * The methods of this interface itself describe the store. They ask no server, and always return the same.
 *
 * <p><strong>Rows.</strong> A {@link io.delayjob.job.Job} has four parts; a store keeps every component of them. An
 * unfinished job is waiting ({@code DELAYED}) or {@code RUNNING}; at its end it moves to the history. {@code READY} is
 * never stored and never answered. This is what each transition changes; all else stays as it is:
 * <pre>
 *   submit, CREATED    the row is {@link io.delayjob.job.NewJob#toJob}
 *   submit, REPLACED   task, plan and partition as given; failures and rescues 0; fresh token
 *   submit, POSTPONED  partition as given; due time and planned time (1) as given; fresh token
 *   reschedule         due time and planned time (1) as given; fresh token
 *   claim              RUNNING; owner as given; attempt + 1; started now, or at its due time if that is later; fresh token
 *   release            DELAYED; owner 0; fresh token
 *   complete, again    DELAYED; owner 0; run, planned time, due time and failures as in next; rescues 0 if the run
 *                      is another; doubt (2); log; fresh token
 *   complete, ended    state as in next (3); owner 0; run and planned time as in the completion's job; doubt (2);
 *                      call, end, failure; log; fresh token
 *   rescue             DELAYED; owner 0; due now; failures, rescues and doubt + 1; fresh token
 *   settleDoubt        doubt - 1, but not below 0; of ended jobs as well
 *   cancel, waiting    CANCELLED; end
 *   cancel, running    cancellation requested, and a notice to the owner
 *   retry              DELAYED; no end; no cancellation requested; due time and planned time as given; failures and
 *                      rescues 0; fresh token
 *
 *   (1) unless failures or rescues are above 0: then a retry is waited for, and the planned time stays
 *   (2) doubt is raised by {@link io.delayjob.job.Completion#inDoubtChange()}
 *   (3) CANCELLED if a cancellation was requested and next is not FINISHED
 * </pre>
 * A {@code release} or {@code rescue} of a row whose cancellation was requested ends the job as {@code CANCELLED},
 * {@code now}, with the counts of the transition. A job in the history keeps all its parts, except that only a
 * {@code FAILED} one keeps its payload.
 *
 * <p><strong>Names and texts.</strong> Names, keys and queues are compared exactly, by their characters: capitals,
 * accents and blanks at the end tell them apart. A text comes back as it was written. A store that cannot keep a text,
 * such as one with U+0000, refuses the whole call.
 *
 * <p><strong>Lists.</strong> Answers have the order that their method names; where it names none, any. A list or set
 * that is passed in may be empty, and names a row at most once, unless a method says otherwise. Jobs, rows and
 * instances that do not exist, or no longer, are no error: they are missing from the answer, or nothing happens.
 *
 * <p><strong>Concurrency.</strong> Every method may be called at any time, by many threads of many processes, for the
 * same rows, too. Once a call has returned, all later calls on all instances see what it did: no method reads a replica
 * that may lag behind. A page or a count need not show one moment.
 *
 * <p><strong>Tokens.</strong> A transition by an engine is conditional on the token that was read, and sets the fresh
 * one that it is handed. So do calls that change a waiting row's time or arguments. A token is never used twice, except
 * that all rows of one call get the same. It has no order and no meaning: a store compares tokens for equality only.
 *
 * <p><strong>Atomicity.</strong> Each transition changes its row as a whole or not at all, and the row's attempt log
 * and history with it. The rows of one call may change separately, unless a method says otherwise.
 *
 * <p><strong>Time.</strong> No statement judges time by the store's clock: every instant is an argument, in store
 * time and whole milliseconds. Only {@link #clockMicros()} reads the store's clock.
 *
 * <p><strong>Transactions.</strong> {@link JobSubmission}, {@link JobChanges}, {@link JobQueries}, {@link #pause},
 * {@link #resume} and {@link #paused} join the caller's transaction if the store
 * {@linkplain StoreCapability#CALLER_TRANSACTIONS can}. Those with a {@link DueSink} hand it the rows that they have
 * changed and that are then waiting, each once and as it stands then: after the commit, never before, and not at all
 * after a rollback. They hold no lock meanwhile, because
 * the sink may call the store, and pass it no empty list. Of very many rows a store may leave some out.
 * Everything else runs in short transactions of its own.
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
