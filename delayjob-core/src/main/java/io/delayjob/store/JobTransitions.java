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
 * The transitions that engines make: claim, release, complete, rescue. Each is conditional on a row's token, runs in
 * its own transaction, and may be repeated with the same arguments. All rows and completions of one call belong to one
 * {@linkplain JobPlacement#groupOf group} of partitions. Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface JobTransitions {

    /**
     * Claims rows: {@code DELAYED -> RUNNING}, if the id and token in the store are those of the given row. Rows that
     * another transaction has locked are skipped. Sets the owner and the fresh token, and adds one to the attempt,
     * which never falls. If the claim comes before a row's due time, the due time is stored as the start. Returns the
     * claimed jobs, as they are now, in any order. A row that is missing from the result is gone, has changed, or is
     * locked. If a claim is repeated, the result may contain the rows that the first call has claimed, or leave them
     * out.
     *
     * @param owner the number of the instance that claims; the store does not check whether it is registered
     */
    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now);

    /**
     * Releases claimed rows whose attempts were not started, or whose claim had an unknown result. A row becomes {@code
     * DELAYED} again, with {@code freshToken}, if its token in the store is the token of the given row or {@code
     * claimToken}, the fresh token of the claim. So a row that the claim never reached gets a fresh token, too, and a
     * claim that arrives later changes nothing. The due time stays. If the cancellation of the job was requested
     * meanwhile, the job ends as {@link JobState#CANCELLED} at the time {@code now}. Rows that another transaction has
     * locked are skipped.
     *
     * @return the skipped rows, which must be released later
     */
    List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now);

    /**
     * Writes the ends of attempts, and returns a result for each completion, in order. {@link Completion#job()} has the
     * id of the row and the token of the claim. If a call contains two attempts of one job, only the attempt whose
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
     * Lowers {@link Job#inDoubt()} of each job by one, not below 0, because an attempt that had been given up as lost
     * has now ended. The jobs may have ended, and may be in several groups. A row that another transaction has locked
     * does not change. That is safe, because {@link JobChanges#cancel} then still reports that an attempt may be under
     * way.
     */
    void settleDoubt(Collection<JobId> ids);

    /**
     * Rescues lost rows if the id and token in the store are those of the given row: they wait again, due {@code now}.
     * Adds one to their failures, rescues and {@code inDoubt}. Rows that another transaction has locked are skipped. A
     * job whose cancellation was requested ends as {@link JobState#CANCELLED}.
     *
     * @return the rows that wait again, as they are now
     */
    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken);
}
