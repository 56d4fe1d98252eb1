package io.delayjob.store;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.List;

/**
 * What people do to jobs that exist: cancel, reschedule, retry. Joins the caller's transaction where the store can;
 * see {@link JobStore} for the rules of all roles. Thread-safe.
 */
public interface JobChanges {

    /**
     * Cancels: a waiting job leaves for the history at once, a running one gets no further attempt, and its
     * instance hears of it when it {@linkplain InstanceStore#look looks}. Looks in the history, too: a job that was
     * cancelled before answers {@link CancelResult#ofCancelled}, another ended one {@link CancelResult#ALREADY_ENDED}.
     *
     * <p>A store may write the notice to the instance in a second step. A call that fails in between may be repeated:
     * cancelling a running job again writes the notice again, and an instance may read a notice twice.
     */
    CancelResult cancel(JobId id, Instant now);

    /** As {@link #cancel(JobId, Instant)}, the unfinished job of this name and key. Does not look in the history. */
    CancelResult cancel(String name, String key, Instant now);

    /**
     * Ends a job that is no longer wanted, as {@link #cancel(JobId, Instant)} does, with two differences. The job loses
     * its key, so that a search by key finds no cancellation. The handler of an attempt under way is not told.
     * A job that has ended stays as it is.
     */
    void withdraw(JobId id, Instant now);

    /**
     * Gives a waiting job a new due time. It is the planned time of its run, too, unless the job is between retries: a
     * retry shifts no later run. A job that runs or has ended stays as it is.
     */
    ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Brings a {@link JobState#FAILED} job back from the history, due then and its run planned for then, so that it is
     * not judged as missed. Its failures and rescues are forgotten; run, attempt and doubt stay. All other jobs stay as
     * they are, and so does a failed one whose key an unfinished job has taken.
     */
    ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed);

    /**
     * Does to each of these jobs what {@link #cancel(JobId, Instant)} does, and answers in their order. A store should
     * take few statements for it. Without a transaction of the caller's, the jobs need not change together.
     *
     * @param ids distinct, at most {@link JobQuery#MAX_LIMIT}, of one {@linkplain JobPlacement#groupOf group}
     */
    default List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        return ids.stream().map(id -> cancel(id, now)).toList();
    }

    /**
     * Does to each of these jobs what {@link #reschedule} does, as {@link #cancelAll} says.
     *
     * @param freshToken of all that are changed
     */
    default List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return moves.stream()
                .map(move -> reschedule(move.id(), move.due(), freshToken, committed))
                .toList();
    }

    /**
     * Does to each of these jobs what {@link #retry} does, as {@link #cancelAll} says. If two of them have the same key, the
     * one that was made first is brought back.
     *
     * @param moves in the order of ids
     * @param freshToken of all that are changed
     */
    default List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return moves.stream()
                .map(move -> retry(move.id(), move.due(), freshToken, committed))
                .toList();
    }
}
