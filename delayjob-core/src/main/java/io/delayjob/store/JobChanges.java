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
 * Changes existing jobs at the request of a person or an application. The methods join the caller's transaction if the
 * store can do so. Thread-safe; see {@link JobStore} for the rules of all roles of a store.
 */
public interface JobChanges {

    /**
     * Cancels a job. A waiting job moves to the history at once. If the job awaits an answer, its {@code inDoubt} rises
     * by one, because another system may still work on the job. A running job gets no further attempt. The instance
     * that runs the job finds the request when that instance next {@linkplain InstanceStore#look reads the register}.
     * An ended job does not change. If the job was cancelled before, the result is {@link CancelResult#ofCancelled}.
     * For any other ended job, the result is {@link CancelResult#ALREADY_ENDED}.
     *
     * <p>A store may need two steps: it changes the job first, and then writes a notice for the job's instance. If a
     * call fails between these steps, a repeated call writes the notice. An instance may read the same notice twice. A
     * store may drop a notice for an instance that is not registered.
     */
    CancelResult cancel(JobId id, Instant now);

    /**
     * Cancels the unfinished job of this name and key, as {@link #cancel(JobId, Instant)} does. This method does not
     * search the history.
     */
    CancelResult cancel(String name, String key, Instant now);

    /**
     * Ends a job that is no longer needed. This method works like {@link #cancel(JobId, Instant)}, with two
     * differences. The job loses its key, so that no search by key finds it. If an attempt is under way, its handler is
     * not told about the cancellation.
     */
    void withdraw(JobId id, Instant now);

    /**
     * Gives a waiting job a new due time. The new due time is also the planned time of the job's run. If the job waits
     * for a retry, the planned time stays the same. The method does not change a job that is running, that awaits an
     * answer or that has ended.
     */
    ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Moves a {@link JobState#FAILED} job from the history back to the unfinished jobs. The parameter {@code due} is
     * the new due time of the job, and also the new planned time of its run. The failures and rescues of the job become
     * 0. The run number, the attempt number and {@code inDoubt} do not change. If the job has not failed, or if an
     * unfinished job has the same key, nothing changes. If the group of the job has ended or no longer exists, the job
     * leaves the group ({@link JobRules#retriedAlone}).
     */
    ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Ends an attempt with the answer of another system. If the job is unfinished, the method locks the job's row, in
     * the same way as {@link #cancel(JobId, Instant)}. Then the method passes the job to the function {@code end}. The
     * job has the form that {@link JobQueries#find(JobId)} returns. The function returns a completion. The method
     * writes this completion in the same way as {@link JobTransitions#complete}. No other transition of the row takes
     * place between these steps.
     *
     * @param end returns the completion, or {@code null} if the answer is not accepted. The job in the completion has
     *     the same token as the job that was passed to the function. If a cancellation was requested, the next state in
     *     the completion is {@link JobState#FINISHED} or {@link JobState#CANCELLED}. If the store repeats its
     *     transaction, it calls this function again. The function must not call the store
     * @param committed receives the written completion after the commit, and is not called after a rollback. The store
     *     holds no lock during this call
     * @return {@link AnswerResult#TAKEN}, or {@link AnswerResult#CANCELLED} if the job has ended as cancelled, in this
     *     call or earlier. {@link AnswerResult#NOT_FOUND} means that there is no job. {@link AnswerResult#NOT_AWAITED}
     *     means that the answer was not accepted. If the result is {@code NOT_FOUND} or {@code NOT_AWAITED}, nothing
     *     has changed
     */
    AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed);

    /**
     * Cancels each of these jobs, as {@link #cancel(JobId, Instant)} does, and returns the results in the order of the
     * ids. A store should use few statements for this call. If the caller has no transaction, the store may use several
     * transactions.
     *
     * @param ids distinct ids of jobs in one {@linkplain JobPlacement#groupOf group}, at most {@link
     *     JobQuery#MAX_LIMIT} ids
     */
    default List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        return ids.stream().map(id -> cancel(id, now)).toList();
    }

    /**
     * Cancels the jobs among {@code ids} that are still waiting. The rules of {@link #cancelAll} apply. The method does
     * not change a job that is running, that awaits an answer or that has ended.
     *
     * @return a result for each job that this call has cancelled, and for no other job
     */
    Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now);

    /**
     * Cancels the jobs among {@code ids} that still await an answer. The rules of {@link #cancelAll} apply. A job that
     * has received its answer in the meantime does not change. After the deadline of an answer, an instance claims the
     * job. Even after this claim, the job counts as awaiting its answer. This method cancels such a job like any
     * running job.
     *
     * @return a result for each job that this call has cancelled, and for no other job
     */
    Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now);

    /**
     * Reschedules each of these jobs in the same way as {@link #reschedule}. The rules of {@link #cancelAll} apply. All
     * changed jobs get the same token.
     */
    default List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return moves.stream()
                .map(move -> reschedule(move.id(), move.due(), freshToken, committed))
                .toList();
    }

    /**
     * Retries each of these jobs in the same way as {@link #retry}. The rules of {@link #cancelAll} apply. All changed
     * jobs get the same token. If two of the jobs have the same key, only the job with the lower id becomes unfinished
     * again.
     *
     * @param moves the jobs and their new due times, in the order of the jobs' ids
     */
    default List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return moves.stream()
                .map(move -> retry(move.id(), move.due(), freshToken, committed))
                .toList();
    }
}
