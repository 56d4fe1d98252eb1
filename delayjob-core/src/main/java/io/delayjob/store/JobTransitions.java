package io.delayjob.store;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Makes the transitions of engines: claim, release, complete and rescue. Each transition takes place only if the row
 * still has the given token. A transition runs in its own transaction. Each transition except {@link #settleDoubt} may
 * be repeated with the same arguments. All rows and completions of one call belong to one {@linkplain
 * JobPlacement#groupOf group} of partitions. Thread-safe; see {@link JobStore} for the rules of all roles of a store.
 *
 * <p><strong>Refused batches.</strong> If a store cannot read or change one of the rows, it refuses the whole call. The
 * exception is not {@linkplain StoreException#isTransient() transient}. After such an exception, the engine sends each
 * half of the rows in a separate call. The engine divides the rows further until it finds the bad row. The engine
 * changes all other rows, and tries the bad row again later. After a transient exception, the engine repeats the whole
 * call. The engine never divides a claim. After a failed claim, the engine releases all rows of the claim, and claims
 * the released rows again. The store can also refuse to release these rows. Then the engine divides the rows as
 * described above, and so finds the bad row. Therefore, if a store refuses to claim a row, the store must also refuse
 * to release this row. If the store released the bad row, the engine would try to claim the row again and again.
 */
public interface JobTransitions {

    /**
     * Claims rows: changes their state from {@code DELAYED} to {@code RUNNING}. A row is claimed only if the row in the
     * store has the id and token of the given row. The method sets the owner and the fresh token. The method adds one
     * to the attempt number, unless the job awaits an answer. The attempt number never becomes lower. If a row is
     * claimed before its due time, the due time is stored as the start of the attempt. The method skips rows that
     * another transaction has locked. The method returns the claimed jobs with the new values, in any order. A repeated
     * claim may or may not return the rows that the first call has claimed.
     *
     * @param owner number of the instance that claims the rows; the store does not check whether the instance is
     *     registered
     */
    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now);

    /**
     * Releases claimed rows. The engine makes this call for rows whose attempts were not started, or whose claim has an
     * unknown result. The value {@code claimToken} is the token that the claim sets. A row in the store changes only if
     * it has one of two tokens. One is {@code claimToken}, and the other is the token that {@code rows} contains for
     * this row. Such a row becomes {@code DELAYED}, and its token becomes {@code freshToken}. A row that the claim has
     * not yet changed gets {@code freshToken}, too. Therefore, if the claim reaches the store later, the claim changes
     * nothing. The due time of the row does not change. If the cancellation of a job was requested after the claim, the
     * job ends as {@link JobState#CANCELLED}. The end time of the job is then the parameter {@code now}. The method
     * skips rows that another transaction has locked.
     *
     * @return the skipped rows, which must be released later
     */
    List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now);

    /**
     * Writes the outcomes of attempts, and returns one result for each completion, in the order of the completions. The
     * {@linkplain Completion#job() job of a completion} contains the id of the row and the token of the claim. Only the
     * token decides whether a completion is accepted, not the state of the row. If one call contains completions of two
     * attempts of a job, at most one of them is accepted. Rows that another transaction has locked are {@linkplain
     * CompletionResult#LOCKED skipped}. An ended job moves to the history. If the cancellation of a job was requested,
     * the job ends as {@link JobState#CANCELLED} instead of waiting again or failing. An ended job that is not
     * {@linkplain Completion#keep() kept} leaves neither a row nor an attempt log.
     *
     * <p>A completion with a {@linkplain Completion#follower() follower} also writes the row of the follower, in the
     * same transaction. If the job ends as CANCELLED instead, because its cancellation was requested, the row of the
     * follower is not written. If a job with the follower's id already exists, that job does not change, even if it has
     * ended.
     *
     * <p>A completion that was applied before is accepted again, and changes nothing. The store recognizes such a
     * completion by its fresh token, which the waiting or ended row still has. If the row has neither the fresh token
     * nor the token of the claim, the completion is refused. If {@link Completion#isSupersededIn} returns {@code true}
     * for this row, the result is {@link CompletionResult#SUPERSEDED}. Otherwise, the result is {@link
     * CompletionResult#FENCED}. If the row does not exist, the result is {@link CompletionResult#GONE}. A refused
     * completion writes no line to the attempt log.
     */
    List<CompletionResult> complete(List<Completion> completions);

    /**
     * Lowers {@link Job#inDoubt()} of each job by one, but not below 0. Each id stands for one attempt that counted as
     * lost or timed out, and that has now ended. If several such attempts of a job have ended, the id of the job occurs
     * several times. The jobs may have ended, and may belong to several groups of partitions. The method skips rows
     * that another transaction has locked.
     *
     * <p>A call of this method must not be repeated, because the store cannot recognize a repetition. If {@code
     * inDoubt} were lowered twice for one attempt, {@link JobChanges#cancel} could miss a running attempt. A value of
     * {@code inDoubt} that is too high does no harm.
     *
     * @return the ids of the skipped rows, which the caller must pass again later. Ids of jobs that no longer exist are
     *     left out
     */
    List<JobId> settleDoubt(Collection<JobId> ids);

    /**
     * Rescues lost rows. A row is rescued only if the row in the store has the same id and token. A rescued row becomes
     * {@code DELAYED}, and its due time becomes {@code now}. Three numbers of the row rise by one: {@code failures},
     * {@code rescues} and {@code inDoubt}. If the cancellation of a job was requested, the job ends as
     * {@link JobState#CANCELLED}. The method skips rows that another transaction has locked.
     *
     * @return the rescued rows that are now waiting, with their new values
     */
    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken);
}
