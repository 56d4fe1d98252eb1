package io.delayjob.store;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The jobs, durable. <em>The row is the truth</em>: whatever memory, leases and cursors hold, only the conditional
 * updates here decide what runs.
 *
 * <p><strong>Tokens.</strong> Every transition of a waiting or running row is conditional on the token that was read,
 * and sets the fresh one that it is handed. A token is never used twice.
 *
 * <p><strong>Time.</strong> No statement judges time by the database's clock: every instant is handed in, in store time
 * and whole milliseconds. Only {@link #clockMicros()} reads the store's clock.
 *
 * <p><strong>Transactions.</strong> {@link #submit}, {@link #cancel}, {@link #withdraw}, {@link #reschedule}, {@link
 * #retry}, {@link #pause}, {@link #resume} and the finders join the caller's transaction where the store knows such a
 * thing, and hand rows that are then waiting to the given {@link DueSink} once it has committed, never before, and not
 * at all when it rolls back. Everything else runs in a short transaction of its own.
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
public interface JobStore {

    // ---- for applications: within the caller's transaction

    /**
     * Writes new jobs, in one batch; answers one result for each, in order. The outcome of a taken key follows
     * {@link NewJob#onExisting()}.
     *
     * @throws io.delayjob.job.JobExistsException for a taken key with {@code FAIL}; found by affected rows, so that the
     *     caller's transaction stays usable. Nothing of the batch is then written.
     */
    List<Scheduled> submit(List<NewJob> jobs, DueSink committed);

    /**
     * Cancels: a waiting job leaves for the history at once, a running one gets no further attempt, and its
     * instance hears of it when it {@linkplain InstanceStore#look looks}. Looks in the history, too.
     */
    CancelResult cancel(JobId id, Instant now);

    /** Cancels the unfinished job of this name and key. */
    CancelResult cancel(String name, String key, Instant now);

    /**
     * Ends a job that nobody wants any more, though nobody has cancelled it: as {@link #cancel(JobId, Instant)}, but
     * without its key, so that nothing under that tells of a cancellation, and without a word to the handler of an
     * attempt under way. What has ended stays as it is.
     */
    void withdraw(JobId id, Instant now);

    /**
     * Gives a waiting job a new due time. It is the planned time of its run, too, unless the job is between retries: a
     * retry shifts no later run.
     */
    ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Brings a {@link JobState#FAILED} job back from the history, due then and its run planned for then, so that it is
     * not judged as missed. Its failures are forgotten; run and attempt stay.
     */
    ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed);

    /** The job, unfinished or ended. */
    Optional<Job> find(JobId id);

    /**
     * The unfinished job of this name and key; where there is none, of those that have ended the one with the highest
     * id.
     */
    Optional<Job> find(String name, String key);

    /**
     * One page of jobs, in the order that {@link JobQuery} describes; whether one is due is judged as of {@code now}.
     * Looks at no more than {@link JobQuery#look()} rows of each table. If that is not enough, the page is short or
     * empty, and says where to look further.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it takes longer than reads for
     *     people may
     */
    JobPage find(JobQuery query, Instant now);

    /** The attempt log of a job, newest first, at most {@code limit} lines. */
    List<AttemptRecord> attempts(JobId id, int limit);

    /**
     * Pauses handlers and queues: from when the instances have {@linkplain InstanceStore#look looked} on, none of them
     * starts a job of theirs. Attempts under way go on.
     *
     * @param committed called once the pause is committed, perhaps in vain; must not throw
     * @return whether any of them was not paused before
     */
    boolean pause(Paused what, Instant now, Runnable committed);

    /**
     * Resumes handlers and queues.
     *
     * @param committed called once this is committed, perhaps in vain; must not throw
     * @return whether any of them was paused
     */
    boolean resume(Paused what, Runnable committed);

    /** What is paused. */
    Paused paused();

    /**
     * Number of jobs in each state, and the due time of the oldest due one, for people. Counts up to {@link
     * JobCounts#CAP}, or further if that costs nothing. Sees committed rows, not those of the caller's transaction, and
     * not all of them at one moment.
     *
     * @throws StoreException {@linkplain StoreException#isTransient() transient}, when it takes longer than reads for
     *     people may
     */
    JobCounts counts(Instant now);

    // ---- for engines: in transactions of its own

    /**
     * Maximum length of a payload that is read, in bytes of UTF-8. A longer one stays in the store, so that it cannot
     * exhaust the heap; every method that returns jobs has {@link Job#oversize()} in its place. Transitions keep the
     * payload, whatever its length.
     */
    long maxPayloadBytes();

    /** The store's clock in microseconds since the epoch: the time of this very call, not of a transaction's start. */
    long clockMicros();

    /**
     * Partitions that hold unfinished jobs, whatever is configured, each with the due time of the earliest of these,
     * waiting or running. Idle engines ask once a sweep, however many rows there are.
     */
    Map<Partition, Instant> partitionsInUse();

    /**
     * Waiting rows of each cursor's partition that come after the cursor and are due at or before {@code until}, in the
     * order of (due time, id), at most {@code limit} per partition.
     */
    List<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit);

    /**
     * Waiting rows of these handler names, which may be many, in a bounded part of each cursor's partition: of the
     * unfinished rows, waiting and running, that come after the cursor and are due at or before {@code until}, in the
     * order of (due time, id), it looks at the first {@code lookAt}, and answers those that wait and have one of the
     * names, at most {@code limit} per partition. However many rows of other names lie ahead, one call does not step
     * over more.
     *
     * @param limit how many rows to answer, of each partition
     * @param lookAt how many rows to look at, in each partition; not less than {@code limit}
     */
    OverduePage overdue(Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt);

    /**
     * Claims: {@code DELAYED -> RUNNING} for the rows that are as they were read (id and token), skipping rows that
     * another transaction has locked; owner and fresh token are set, the attempt is counted, and nothing ever lowers
     * that count again. A claim ahead of a row's time counts as started at that time. Answers the claimed jobs, as they are now. What does not come back is gone, moved or locked.
     */
    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now);

    /**
     * Gives back claims that were not started, and such whose claim's outcome is unknown: rows whose token is either
     * the one found or {@code claimToken}, the fresh one of the claim, become {@code DELAYED} with {@code freshToken}
     * again. The due time stays. One whose cancellation was requested meanwhile ends, {@code now}, as {@link
     * JobState#CANCELLED}. Skips rows that another transaction has locked.
     *
     * @return the rows that were skipped: to be released later
     */
    List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now);

    /**
     * Writes the ends of attempts in one transaction; answers for each whether it was accepted. Rows that another
     * transaction has locked are {@linkplain CompletionResult#LOCKED skipped}, so that they keep no other from its end.
     * An ended job leaves the table of unfinished ones for the history; one whose cancellation was requested ends as
     * {@link JobState#CANCELLED} instead of waiting again or becoming a dead letter. A completion that was applied
     * before is accepted again.
     */
    List<CompletionResult> complete(List<Completion> completions);

    /**
     * Lowers {@link Job#inDoubt()} by one for each: an attempt given up for lost has ended after all. Of rows that
     * another transaction has locked the doubt stays, which makes {@link #cancel} no less true.
     */
    void settleDoubt(Collection<JobId> ids);

    /**
     * Looks for attempts that were lost, in a bounded part of each cursor's partition: among the unfinished rows,
     * waiting and running, that come after the cursor and are due at or before {@code until}, in the order of (due
     * time, id), it looks at the first {@code limit}, and answers those that run and whose owner is not registered.
     *
     * @param limit how many rows to look at in each partition, not how many to answer
     */
    LostPage lost(Collection<PartitionCursor> cursors, Instant until, int limit);

    /**
     * Rescue: lost rows that are as they were read (id and token) wait again, due {@code now}; failures, rescues and
     * doubt are each raised by one. Skips locked rows. One whose cancellation was requested ends as {@link
     * JobState#CANCELLED}.
     *
     * @return the rows that wait again, as they are now
     */
    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken);

    /**
     * Forgets ended jobs of that state that ended before {@code before}, and their attempts, at most {@code limit} of
     * them; answers how many. Spares {@link JobState#CANCELLED} ones with the key {@link Job#DECLARED_KEY}: nothing
     * else keeps them from being scheduled anew by the next start.
     */
    int purgeHistory(JobState state, Instant before, int limit);

    // ---- transactions that handlers are called in

    /** Transactions that atomic handlers are called in; empty, as by default, where the store knows no such thing. */
    default Optional<HandlerTransactions> handlerTransactions() {
        return Optional.empty();
    }

    // ---- the instances that share the store

    /**
     * Distinguishes this store from every other one in shared names, such as those of leases. The first call on any
     * instance decides; it never changes afterwards.
     *
     * @param proposed becomes the identity if there is none yet: 1 to 8 lower-case letters and digits
     */
    String identity(String proposed);

    /** The register of instances. */
    InstanceStore instances();
}
