package io.delayjob.store;

import java.time.Instant;
import java.util.List;

/**
 * Stores jobs durably. An engine starts an attempt only after {@link #claim} has changed the job's row. A lease, a
 * cursor or the memory of an engine is not enough.
 *
 * <p><strong>Roles.</strong> This interface extends one interface for each role:
 * <pre>
 *   applications   {@link JobSubmission}    new jobs
 *                  {@link JobChanges}       cancel, withdraw, reschedule, retry, answer
 *                  {@link JobQueries}       find, attempts, counts
 *   engines        {@link DueJobs}          rows that are due soon, are overdue or were lost, by page
 *                  {@link JobTransitions}   claim, release, complete, rescue
 *                  {@link JobRetention}     delete jobs that ended long ago
 *                  {@link JobStatistics}    what happened in each minute, if the store keeps it
 *   both           {@link ClusterRegister}  instances, pauses, the clock, the store's identity
 *                  {@link #groups()}         groups of jobs, if the store keeps them
 * </pre>
 * Besides these roles, {@code JobStore} has methods that describe the store, such as {@link #capabilities()}. These
 * methods send no request to a server. The result of each of these methods never changes.
 *
 * <p><strong>Rows.</strong> A store stores every component of a {@link io.delayjob.job.Job}. An unfinished row is
 * waiting ({@code DELAYED}) or {@code RUNNING}. An ended job is in the history. The states {@code READY} and {@code
 * AWAITING} are never stored and never returned. If a job awaits an answer, its row is a waiting row. The due time of
 * that row is the deadline of the answer. Each transition changes exactly these values:
 * <pre>
 *   submit, CREATED    the row is {@link io.delayjob.job.NewJob#toJob}
 *   submit, REPLACED   task (but the same group), plan and partition as given; failures and rescues 0; fresh token (4)
 *   submit, POSTPONED  partition as given; due time and planned time (1) as given; fresh token (4)
 *   reschedule         due time and planned time (1) as given; fresh token
 *   claim              RUNNING; owner as given; attempt + 1 unless awaiting; started now, or at its due time if that is
 *                      later; fresh token
 *   release            DELAYED; owner 0; fresh token
 *   complete, again    DELAYED; owner 0; run, planned time, due time, failures and awaiting as in next; rescues 0 if
 *                      next has another run; doubt (2); log; fresh token
 *   complete, ended    state as in next (3); owner 0; run and planned time as in the completion's job; doubt (2);
 *                      call, end, failure; log; not awaiting; fresh token
 *   answer             as complete
 *   rescue             DELAYED; owner 0; due now; failures, rescues and doubt + 1; not awaiting; fresh token
 *   settleDoubt        doubt - 1, but not below 0; also of ended jobs
 *   cancel, waiting    CANCELLED; end; if awaiting: doubt + 1, not awaiting
 *   cancel, running    cancellation requested, and a notice to the owner
 *   retry              DELAYED; no end; no cancellation requested; due time and planned time as given; failures and
 *                      rescues 0; fresh token
 *
 *   (1) unless failures or rescues are above 0: then the job waits for a retry, and the planned time stays
 *   (2) doubt is raised by {@link io.delayjob.job.Completion#inDoubtChange()}, and by one more if the job should await
 *       an answer and ends as CANCELLED instead
 *   (3) CANCELLED if a cancellation was requested and next is not FINISHED
 *   (4) a job that awaits an answer is treated like a running job
 * </pre>
 * If the cancellation of a job was requested, the transitions {@code release} and {@code rescue} end the job as
 * {@code CANCELLED}. The end time of the job is then the argument {@code now}. In this case, {@code failures},
 * {@code rescues} and {@code doubt} still change as in the table above. A job in the history keeps all its values, with
 * two exceptions. Its payload is kept only if the job is {@code FAILED}. Its {@code awaiting} is false.
 * {@link JobRules} contains these rules as functions, for stores that make their decisions in Java.
 *
 * <p><strong>Groups.</strong> The method {@link io.delayjob.job.JobExtras#group()} returns the group of a job. When a
 * member begins or ends, a store with {@link StoreCapability#GROUPS} counts the member in the same step, exactly once.
 * A member begins when its job is created, even if the job follows another member. A failed member begins again when
 * its job is retried. If {@code REPLACE} changes the row of a waiting job, the group gets no new member. Every
 * transition that ends the job of a member also ends the member. This is true even if the ended job leaves no row; see
 * {@link JobGroups}.
 *
 * <p><strong>Names and texts.</strong> Names, keys and queues are compared exactly, character by character, including
 * capitals, accents and blanks at the end. A store returns a text exactly as it was written. If a store cannot keep a
 * text, it refuses the whole call. Before a call to the store, the engine refuses or replaces U+0000 and unpaired
 * surrogates.
 *
 * <p><strong>Lists.</strong> If a method states no order, the returned list may have any order. A list or set in an
 * argument may be empty, and has at most a few thousand elements. The list or set contains each row at most once,
 * unless a method says otherwise. A missing job, row or instance is no error: the result leaves it out, or nothing
 * happens.
 *
 * <p><strong>Concurrency.</strong> Many threads of many processes may call every method at any time, even for the same
 * rows. After a call has returned, all later calls on all instances see its effect. So no method may read from a
 * delayed replica. A page or a count may combine rows that were read at different moments.
 *
 * <p><strong>Tokens.</strong> A transition by an engine takes place only if the row still has the token that the engine
 * has read. The transition then gives the row the <em>fresh token</em>, which is a new random number. The caller
 * chooses this number. If a call changes the time or the arguments of a waiting row, the row gets a fresh token, too.
 * Two calls never use the same token. Each new job and each {@link io.delayjob.job.Completion} brings a token of its
 * own. In all other cases, all rows of one call get the same token. While the token of an unfinished row stays the
 * same, the row's state and due time stay the same. A store only checks whether two tokens are equal.
 *
 * <p><strong>Atomicity.</strong> Each transition changes its row, the row's attempt log and the history together, or
 * changes nothing. A call may change each row in a transaction of its own, unless the method says otherwise.
 *
 * <p><strong>Time.</strong> No statement compares times with the store's clock. The caller passes all times as
 * arguments. These are store times in whole milliseconds. Only {@link #clockMicros()} and {@link InstanceStore#beat}
 * read the store's clock.
 *
 * <p><strong>Transactions.</strong> Some methods join the caller's transaction if the store
 * {@linkplain StoreCapability#CALLER_TRANSACTIONS can do so}. They are every method of {@link JobSubmission} and
 * of {@link JobChanges}, and most methods of {@link JobGroups}. The methods {@code find}, {@link #attempts},
 * {@link #pause}, {@link #resume} and {@link #paused} also join it. All other methods run in their own short
 * transactions.
 *
 * <p><strong>Sinks.</strong> If a method has a {@link DueSink}, the sink receives each changed row whose job is now
 * waiting. The sink receives the row once, after the commit, with the committed values. After a rollback, the sink
 * receives no row. The sink may call the store, so the method holds no lock while it calls the sink. The method never
 * passes an empty list to the sink. If very many rows were changed, a store may leave out some of these rows.
 *
 * <p><strong>Errors.</strong> If a method fails, it throws a {@link StoreException}. If the exception is
 * {@linkplain StoreException#isTransient() transient}, the same call may succeed later. After an error, it is unknown
 * whether the transition was applied. The engine may then repeat any call with the same arguments, except
 * {@link #settleDoubt}. A repeated call may return another result than the first call. But the method {@link #complete}
 * accepts a completion again if the row still has the fresh token of this completion.
 *
 * <p><strong>Name.</strong> {@code toString()} describes the store in a few words, without secrets, such as "PostgreSQL
 * 18.1, prefix delayjob_".
 *
 * <p>This interface is thread-safe.
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

    /** Returns the abilities of this store. Callers must not derive abilities from the class of the store. */
    StoreCapabilities capabilities();

    /**
     * Returns the placement of jobs. By default, jobs stay in the proposed partition, and all partitions belong to the
     * same group.
     */
    default JobPlacement placement() {
        return JobPlacement.AS_PROPOSED;
    }

    /**
     * Returns the maximum length of a payload that the store reads, in bytes of UTF-8. If a payload is longer, the
     * store returns the job without the payload. Then {@link io.delayjob.job.Job#oversize()} states how long the
     * payload is. A transition keeps the stored payload, whatever its length.
     */
    long maxPayloadBytes();

    /**
     * Returns the object that calls atomic handlers in transactions. By default, the returned object refuses every
     * call. A store with {@link StoreCapability#HANDLER_TRANSACTIONS} overrides this method.
     */
    default HandlerTransactions handlerTransactions() {
        return (work, timeout) -> {
            throw StoreException.lacking(this, StoreCapability.HANDLER_TRANSACTIONS);
        };
    }

    /**
     * Returns the access to the groups of jobs. By default, this method throws an exception. A store with {@link
     * StoreCapability#GROUPS} overrides this method.
     */
    default JobGroups groups() {
        throw StoreException.lacking(this, StoreCapability.GROUPS);
    }

    @Override
    default void recordMinutes(long owner, List<MinuteRow> rows) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }

    @Override
    default List<MinuteSum> minutes(MinuteSpan span) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }

    @Override
    default boolean purgeMinutes(Instant before) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }
}
