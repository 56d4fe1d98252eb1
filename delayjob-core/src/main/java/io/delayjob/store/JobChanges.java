package io.delayjob.store;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes that people and applications make to existing jobs: cancel, reschedule, retry, answer. Joins the caller's
 * transaction if the store can; see {@link JobStore} for the rules of all roles. Thread-safe.
 */
public interface JobChanges {

    /**
     * Cancels a job. A waiting job moves to the history at once. If it awaits an answer from outside, {@code inDoubt}
     * is raised, because it is unknown whether the work in the other system goes on. A running job gets no further
     * attempt. Its instance is told by its next {@linkplain InstanceStore#look look}. Looks in the history, too. The
     * answer for a cancelled job is {@link CancelResult#ofCancelled}, for any other ended job {@link
     * CancelResult#ALREADY_ENDED}.
     *
     * <p>A store may write the notice to the instance in a second step. If a call fails between these steps, it may be
     * repeated: cancelling a running job again writes the notice again. An instance may read a notice twice. A store
     * may drop a notice to an instance that is not registered.
     */
    CancelResult cancel(JobId id, Instant now);

    /**
     * Cancels the unfinished job of this name and key, as {@link #cancel(JobId, Instant)} does. Does not look in the
     * history.
     */
    CancelResult cancel(String name, String key, Instant now);

    /**
     * Ends a job that is no longer wanted, as {@link #cancel(JobId, Instant)} does, with two differences. The job loses
     * its key, so that a search by key finds no cancellation. The handler of an attempt under way is not told.
     * A job that has ended does not change.
     */
    void withdraw(JobId id, Instant now);

    /**
     * Gives a waiting job a new due time. That time is also the planned time of its run, unless the job is between
     * retries, because a retry shifts no later run. A job that runs, awaits an answer or has ended stays as it is.
     */
    ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Moves a {@link JobState#FAILED} job back from the history. Its due time and the planned time of its run are
     * {@code due}, so that the run does not count as missed. Its failures and rescues are forgotten; run, attempt and
     * doubt stay. A failed job does not change if an unfinished job has taken its key. A job that has not failed does
     * not change either.
     */
    ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Writes the end of an attempt that an answer from outside decides. Locks the row of an unfinished job like {@link
     * #cancel(JobId, Instant)}, and passes the job to {@code end}, like {@link JobQueries#find(JobId)} without a
     * payload that is too long. Writes the end that {@code end} returns, like {@link JobTransitions#complete}, before
     * any other transition of the row.
     *
     * @param end returns the end; {@code null} if the answer does not count. The end's job has the token of the locked
     * row. Its next state is {@link JobState#CANCELLED} if a cancellation was requested and the job does not finish.
     * This function is called at most once in each try of a transaction, and must not call the store
     * @param committed is told the written end once it is committed, never before, and not at all after a rollback. No
     *     lock is held meanwhile
     * @return {@link AnswerResult#TAKEN}, or {@link AnswerResult#CANCELLED} for an end as cancelled. Otherwise nothing
     *     has changed, and the result is CANCELLED for a cancelled job in the history, {@link AnswerResult#NOT_AWAITED}
     *     for any other job, {@link AnswerResult#NOT_FOUND} for none
     */
    AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed);

    /**
     * Cancels each of these jobs, as {@link #cancel(JobId, Instant)} does, and returns the results in their order. A
     * store should use few statements for this call. If the caller has no transaction, the jobs need not change
     * together.
     *
     * @param ids distinct ids, at most {@link JobQuery#MAX_LIMIT}, of one {@linkplain JobPlacement#groupOf group}
     */
    default List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        return ids.stream().map(id -> cancel(id, now)).toList();
    }

    /**
     * Cancels the waiting jobs among these, by the rules of {@link #cancelAll}. A job that runs, awaits an answer, has
     * ended, or was claimed after it was read, does not change.
     *
     * @return a result for each job that this call has cancelled, and no other
     */
    Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now);

    /**
     * Cancels the jobs among these that await an answer, by the rules of {@link #cancelAll}. So a job that was answered
     * after it was read does not change. A job that was claimed because its deadline has come still awaits its answer:
     * it is cancelled like any running job.
     *
     * @return a result for each job that this call has cancelled, and no other
     */
    Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now);

    /**
     * Reschedules each of these jobs, as {@link #reschedule} does, under the rules of {@link #cancelAll}.
     *
     * @param freshToken token of all changed jobs
     */
    default List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return moves.stream()
                .map(move -> reschedule(move.id(), move.due(), freshToken, committed))
                .toList();
    }

    /**
     * Moves each of these jobs back, as {@link #retry} does, under the rules of {@link #cancelAll}. If two of the jobs
     * have the same key, only the job that was created first becomes unfinished again.
     *
     * @param moves the jobs in the order of their ids
     * @param freshToken token of all changed jobs
     */
    default List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return moves.stream()
                .map(move -> retry(move.id(), move.due(), freshToken, committed))
                .toList();
    }
}
