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
 * The transitions that engines make: claim, release, complete, rescue. Each transition takes place only if the row
 * still has the given token. It runs in its own transaction, and may be repeated with the same arguments. All rows and
 * completions of one call belong to one {@linkplain JobPlacement#groupOf group} of partitions. Thread-safe; see {@link
 * JobStore} for the rules of all roles.
 */
public interface JobTransitions {

    /**
     * Claims rows: {@code DELAYED -> RUNNING}, if the id and token in the store are those of the given row. Rows that
     * another transaction has locked are skipped. Sets the owner and the fresh token, and adds one to the number of the
     * attempt, which never falls. If the claim comes before a row's due time, the due time is stored as the start.
     * Returns the claimed jobs with their new values, in any order. If a row is missing from the result, it no longer
     * exists, has changed, or is locked. If a claim is repeated, the result may contain the rows that the first call
     * has claimed, or leave them out.
     *
     * @param owner the number of the instance that claims; the store does not check whether it is registered
     */
    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now);

    /**
     * Releases claimed rows whose attempts were not started, or whose claim had an unknown result. The token of the row
     * in the store must be that of the given row, or {@code claimToken}, which is the fresh token of the claim. Then
     * the row becomes {@code DELAYED} again, with {@code freshToken}. So even a row that the claim has not reached gets
     * a new token, and a claim that arrives later changes nothing. The due time stays. If the cancellation of the job
     * was requested meanwhile, the job ends as {@link JobState#CANCELLED} at the time {@code now}. Rows that another
     * transaction has locked are skipped.
     *
     * @return the skipped rows, which must be released later
     */
    List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now);

    /**
     * Writes the outcomes of attempts, and returns a result for each completion, in order. {@link Completion#job()} has
     * the id of the row and the token of the claim. If a call contains two attempts of one job, only the attempt whose
     * token is still in the row can be accepted. Rows that another transaction has locked are {@linkplain
     * CompletionResult#LOCKED skipped}, so that they do not delay other completions. An ended job moves from the table
     * of unfinished jobs to the history. A job whose cancellation was requested ends as {@link JobState#CANCELLED}
     * instead of waiting again or becoming a dead letter. If an ended job is not to be {@linkplain Completion#keep()
     * kept}, it leaves no row and no attempt log.
     *
     * <p>A completion with a {@linkplain Completion#follower() follower} also writes the row of the follower, in the
     * same transaction. It does not write this row if a requested cancellation has changed the state in which the job
     * ends. If a job with the follower's id exists, unfinished or ended, that job does not change.
     *
     * <p>A completion that was applied before is accepted again, and changes nothing. The store recognizes it, because
     * the row, waiting or ended, still has the completion's fresh token. If the row has another token, the result is
     * {@link CompletionResult#FENCED}, or {@link CompletionResult#SUPERSEDED} if {@link Completion#isSupersededIn} is
     * true for the row. If there is no row, the result is {@link CompletionResult#GONE}. A refused completion writes no
     * line to the attempt log.
     */
    List<CompletionResult> complete(List<Completion> completions);

    /**
     * Lowers {@link Job#inDoubt()} of each job by one, not below 0, because an attempt that counted as lost or timed
     * out has now ended. The jobs may have ended, and may be in several groups. A row that another transaction has
     * locked does not change. That is safe, because {@link JobChanges#cancel} then still reports that an attempt may be
     * under way.
     */
    void settleDoubt(Collection<JobId> ids);

    /**
     * Rescues lost rows if the id and token in the store are those of the given row. A rescued row becomes {@code
     * DELAYED} and is due {@code now}. Adds one to their failures, rescues and {@code inDoubt}. Rows that another
     * transaction has locked are skipped. A job whose cancellation was requested ends as {@link JobState#CANCELLED}.
     *
     * @return the rescued rows that now wait, with their new values
     */
    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken);
}
