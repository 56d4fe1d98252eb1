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
 * Transitions by engines: claim, release, complete, rescue. Each is conditional on a row's token, runs in its own
 * transaction, and may be repeated with the same arguments. Rows and completions of one call lie in partitions of one
 * {@linkplain JobPlacement#groupOf group}. Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface JobTransitions {

    /**
     * Claims: {@code DELAYED -> RUNNING} for the rows whose id and token are those that were read. Rows that another
     * transaction has locked are skipped. Owner and fresh token are set. The attempt is counted, and this count never
     * falls. A claim ahead of a row's time counts as started at that time. Returns the claimed jobs, as they are now,
     * in any order. A row that is missing from the result is gone, has changed, or is locked. If a claim is repeated,
     * the rows that it has claimed before may be in the result or missing.
     *
     * @param owner the number of an instance, which the store need not know
     */
    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now);

    /**
     * Gives back claims that were not started, or whose outcome is unknown. A row becomes {@code DELAYED} again, with
     * {@code freshToken}, if its token is the token that was read or {@code claimToken}, the fresh token of the claim.
     * So a row that the claim never reached gets a fresh token, too, and a claim that arrives later changes nothing.
     * The due time stays. A row whose cancellation was requested meanwhile ends, {@code now}, as {@link
     * JobState#CANCELLED}. Skips rows that another transaction has locked.
     *
     * @return the skipped rows, which have to be released later
     */
    List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now);

    /**
     * Writes the ends of attempts, and returns for each, in order, whether it was accepted. {@link Completion#job()}
     * names the row and has the token of the claim. A batch may hold two attempts of one job: at most the attempt whose
     * token is still in the row is accepted. Rows that another transaction has locked are {@linkplain
     * CompletionResult#LOCKED skipped}, so that they do not hold up other ends. An ended job moves from the table of
     * unfinished jobs to the history. A job whose cancellation was requested ends as {@link JobState#CANCELLED} instead
     * of waiting again or becoming a dead letter. An ended job that is not to be {@linkplain Completion#keep() kept}
     * leaves no row and no attempt log.
     *
     * <p>An end that leaves its job in the state that it names also writes the row of its {@linkplain
     * Completion#follower() follower}, in the same step. So one of them never exists without the other.
     * If a job with the follower's id exists, unfinished or ended, that job stays as it is, and only the end is written.
     *
     * <p>A completion that was applied before is accepted again, and changes nothing: the row, waiting or ended, still
     * has its fresh token. If the row has another token, the result is {@link CompletionResult#FENCED}, or {@link
     * CompletionResult#SUPERSEDED} if {@link Completion#isSupersededIn} is true for the row. If there is no row, the
     * result is {@link CompletionResult#GONE}. A refused completion leaves no line in the attempt log.
     */
    List<CompletionResult> complete(List<Completion> completions);

    /**
     * Lowers {@link Job#inDoubt()} of each job by one, not below 0, because an attempt that had been given up as lost
     * has now ended. The jobs may have ended. They may lie in several groups. Rows that another transaction has locked
     * keep their doubt. That is safe, because {@link JobChanges#cancel} then still answers that an attempt may be under
     * way.
     */
    void settleDoubt(Collection<JobId> ids);

    /**
     * Rescues lost rows whose id and token are those that were read: they wait again, due {@code now}. Failures,
     * rescues and {@code inDoubt} are each raised by one. Skips locked rows. A job whose cancellation was requested
     * ends as {@link JobState#CANCELLED}.
     *
     * @return the rows that wait again, as they are now
     */
    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken);
}
