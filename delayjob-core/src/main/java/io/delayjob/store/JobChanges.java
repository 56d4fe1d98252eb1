package io.delayjob.store;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.List;

/**
 * Changes that people make to existing jobs: cancel, reschedule, retry. Joins the caller's transaction if the store
 * can; see {@link JobStore} for the rules of all roles. Thread-safe.
 */
public interface JobChanges {

    /**
     * Cancels a job. A waiting job moves to the history at once. A running job gets no further attempt, and its
     * instance is notified when it {@linkplain InstanceStore#look looks}. Looks in the history, too. The answer for a
     * cancelled job is {@link CancelResult#ofCancelled}, for any other ended job {@link CancelResult#ALREADY_ENDED}.
     *
     * <p>A store may write the notice to the instance in a second step. A call that fails in between may be repeated:
     * cancelling a running job again writes the notice again, and an instance may read a notice twice.
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
     * A job that has ended stays as it is.
     */
    void withdraw(JobId id, Instant now);

    /**
     * Gives a waiting job a new due time. That time is also the planned time of its run, unless the job is between
     * retries, because a retry shifts no later run. A job that runs or has ended stays as it is.
     */
    ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Brings a {@link JobState#FAILED} job back from the history. It is due then, and its run is planned for then, so
     * that it does not count as missed. Its failures and rescues are forgotten; run, attempt and doubt stay. A failed
     * job stays as it is if an unfinished job has taken its key. So do all other jobs.
     */
    ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Cancels each of these jobs, as {@link #cancel(JobId, Instant)} does, and returns the results in their order. A
     * store should take few statements for it. If the caller has no transaction, the jobs need not change together.
     *
     * @param ids distinct ids, at most {@link JobQuery#MAX_LIMIT}, of one {@linkplain JobPlacement#groupOf group}
     */
    default List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        return ids.stream().map(id -> cancel(id, now)).toList();
    }

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
     * Brings each of these jobs back, as {@link #retry} does, under the rules of {@link #cancelAll}. If two of them
     * have the same key, only the job that was made first is brought back.
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
