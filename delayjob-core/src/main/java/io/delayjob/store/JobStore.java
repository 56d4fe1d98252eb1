package io.delayjob.store;

import java.time.Instant;
import java.util.List;

/**
 * Stores jobs durably. Only the conditional updates of this interface decide which jobs run. Leases, cursors and the
 * memory of engines never decide this.
 *
 * <p><strong>Roles.</strong> This interface extends one interface for each role. The roles and their callers are:
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
 * The methods that {@code JobStore} itself declares describe the store. These methods send no request to a server. Each
 * of them always returns the same value.
 *
 * <p><strong>Rows.</strong> A {@link io.delayjob.job.Job} has four parts, and a store stores every component of each
 * part. An unfinished row is waiting ({@code DELAYED}) or {@code RUNNING}. An ended job is in the history. The states
 * {@code READY} and {@code AWAITING} are never stored and never returned. If a job awaits an answer, its row is a
 * waiting row. The due time of the row is then the deadline of the answer. Each transition changes exactly the
 * following values:
 * <pre>
 *   submit, CREATED    the row is {@link io.delayjob.job.NewJob#toJob}
 *   submit, REPLACED   task (but the same group), plan and partition as given; failures and rescues 0; fresh token (4)
 *   submit, POSTPONED  partition as given; due time and planned time (1) as given; fresh token (4)
 *   reschedule         due time and planned time (1) as given; fresh token
 *   claim              RUNNING; owner as given; attempt + 1 unless awaiting; started now, or at its due time if that is
 *                      later; fresh token
 *   release            DELAYED; owner 0; fresh token
 *   complete, again    DELAYED; owner 0; run, planned time, due time, failures and awaiting as in next; rescues 0 if next
 *                      has another run; doubt (2); log; fresh token
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
 *   (2) doubt is raised by {@link io.delayjob.job.Completion#inDoubtChange()}, and by one more if the job should await an
 *       answer and ends as CANCELLED instead
 *   (3) CANCELLED if a cancellation was requested and next is not FINISHED
 *   (4) a job that awaits an answer is treated like a running job
 * </pre>
 * If the cancellation of a job was requested, a {@code release} or {@code rescue} ends the job as {@code CANCELLED} at
 * the time {@code now}. This request makes no difference to the counts: the transition changes them as usual. A job in
 * the history keeps all its parts, with two exceptions. The payload is kept only if the job is {@code FAILED}, and
 * {@code awaiting} is false. {@link JobRules} contains these rules as functions, for stores that make their decisions
 * in Java.
 *
 * <p><strong>Groups.</strong> If a job has a group, {@link io.delayjob.job.JobExtras#group()} returns it. A store with
 * {@link StoreCapability#GROUPS} counts each member exactly once when it begins, and exactly once when it ends. A
 * member is counted in the same step that begins or ends the member. A member begins when its job is created (even as
 * the follower of another member), or when a failed member is retried. If {@code REPLACE} changes the row of a waiting
 * job, no new member begins. A member ends with every transition that ends its job, even if the ended job leaves no
 * row. {@link JobGroups} describes groups.
 *
 * <p><strong>Names and texts.</strong> Names, keys and queues are compared exactly, character by character, including
 * capitals, accents and blanks at the end. A store returns a text exactly as it was written. A store that cannot keep a
 * text, such as a text with U+0000, refuses the whole call. The engine refuses texts with U+0000 or half surrogate
 * pairs before they reach the store.
 *
 * <p><strong>Lists.</strong> A returned list has the order that the method states. If the method states no order, any
 * order is allowed. An argument that is a list or a set may be empty. A list or set in an argument contains each row at
 * most once, unless a method says otherwise. If a job, row or instance does not exist, or no longer exists, this is no
 * error. The result leaves out this job, row or instance, or nothing happens.
 *
 * <p><strong>Concurrency.</strong> Many threads of many processes may call every method at any time, even for the same
 * rows. After a call has returned, all later calls on all instances see its effect. Therefore no method may read from a
 * delayed replica. The rows of a page or of a count may be from different moments.
 *
 * <p><strong>Tokens.</strong> A transition by an engine takes place only if the row still has the token that the engine
 * has read. The transition sets the <em>fresh token</em>, a new random number that the call passes. Calls that change a
 * waiting row's time or arguments set a fresh token, too. No token is used in two calls. Each new job and each {@link
 * io.delayjob.job.Completion} brings a token of its own. In all other cases, all rows of one call get the same token.
 * Therefore, as long as the token of an unfinished row stays the same, the row's state and due time also stay the same.
 * Tokens have no order and no meaning. A store only checks whether two tokens are equal.
 *
 * <p><strong>Atomicity.</strong> Each transition changes its row, the row's attempt log and the history together, or
 * changes nothing. A call that changes several rows may change each row in a transaction of its own, unless the method
 * says otherwise.
 *
 * <p><strong>Time.</strong> No statement compares times with the store's clock. Every time is an argument, in store
 * time and whole milliseconds. Only {@link #clockMicros()} reads the store's clock.
 *
 * <p><strong>Transactions.</strong> {@link JobSubmission}, {@link JobChanges}, {@link JobQueries}, {@link #pause},
 * {@link #resume}, {@link #paused} and most methods of {@link JobGroups} join the caller's transaction if the store
 * {@linkplain StoreCapability#CALLER_TRANSACTIONS can do so}. If a method has a {@link DueSink}, it passes to the sink
 * all changed rows that are waiting now. After the commit, it passes each of these rows once, with the committed
 * values. After a rollback, it passes no row. The sink may call the store. Therefore the method holds no lock while it
 * calls the sink. It never passes an empty list. If very many rows were changed, a store may pass only some of them.
 * All other methods run in their own short transactions.
 *
 * <p><strong>Errors.</strong> If a method fails, it throws a {@link StoreException}. If the exception is {@linkplain
 * StoreException#isTransient() transient}, the same call may succeed later. After an error, it is unknown whether the
 * transition was applied. The engine can then repeat the call with the same arguments, except a call of {@link
 * #settleDoubt}. Only {@link #complete} promises that a repeated call has the same result as the first call.
 *
 * <p><strong>Name.</strong> {@code toString()} describes the store in a few words, without secrets, such as "PostgreSQL
 * 18.1, prefix delayjob_". delayjob logs this text when an application starts.
 *
 * <p>This interface is thread-safe. A collection in an argument has at most a few thousand elements.
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

    /**
     * Returns the abilities of this store. To find out what a store can do, callers must use this method, not the class
     * of the store.
     */
    StoreCapabilities capabilities();

    /**
     * Returns the placement of jobs. By default, jobs stay in the partition that the engine proposes, and all
     * partitions are one group.
     */
    default JobPlacement placement() {
        return JobPlacement.AS_PROPOSED;
    }

    /**
     * Returns the maximum length of a payload that the store reads, in bytes of UTF-8. A longer payload is not read, so
     * that it cannot exhaust the heap. Methods that return jobs then set {@link io.delayjob.job.Job#oversize()}
     * instead. A transition keeps the stored payload, whatever its length.
     */
    long maxPayloadBytes();

    /**
     * Returns the object that calls atomic handlers in transactions. A store without {@link
     * StoreCapability#HANDLER_TRANSACTIONS} does not override this method; the default implementation throws an
     * exception. An engine with atomic handlers does not start on such a store.
     */
    default HandlerTransactions handlerTransactions() {
        return (work, timeout) -> {
            throw StoreException.lacking(this, StoreCapability.HANDLER_TRANSACTIONS);
        };
    }

    /**
     * Returns the access to the groups of jobs. A store without {@link StoreCapability#GROUPS} does not override this
     * method; the default implementation throws an exception.
     */
    default JobGroups groups() {
        throw StoreException.lacking(this, StoreCapability.GROUPS);
    }

    /**
     * A store without {@link StoreCapability#STATISTICS} does not override this method; the default implementation
     * throws an exception.
     */
    @Override
    default void recordMinutes(long owner, List<MinuteRow> rows) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }

    /**
     * A store without {@link StoreCapability#STATISTICS} does not override this method; the default implementation
     * throws an exception.
     */
    @Override
    default List<MinuteSum> minutes(MinuteSpan span) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }

    /**
     * A store without {@link StoreCapability#STATISTICS} does not override this method; the default implementation
     * throws an exception.
     */
    @Override
    default boolean purgeMinutes(Instant before) {
        throw StoreException.lacking(this, StoreCapability.STATISTICS);
    }
}
