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
     * Claims rows, {@code DELAYED -> RUNNING}, if they are as they were read (id and token). Skips rows that another
     * transaction has locked. Sets the owner and the fresh token, and counts the attempt; nothing ever lowers that
     * count again. A claim before a row's due time counts as started at the due time. Returns the claimed jobs, as
     * they are now. A row without a result is gone, moved or locked.
     */
    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now);

    /**
     * Gives back claims that were not started, or whose outcome is unknown. A row becomes {@code DELAYED} again, with
     * {@code freshToken}, if its token is the one that was found or {@code claimToken}, the fresh token of the claim.
     * The due time stays. A row whose cancellation was requested meanwhile ends, {@code now}, as {@link
     * JobState#CANCELLED}. Skips rows that another transaction has locked.
     *
     * @return the skipped rows, which have to be released later
     */
    List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now);

    /**
     * Writes the ends of attempts, and returns for each, in order, whether it was accepted. A batch may hold two
     * attempts of one job: at most the one whose token is still valid is accepted. Rows that another transaction has
     * locked are {@linkplain CompletionResult#LOCKED skipped}, so that they do not delay other ends. An ended job
     * moves from the table of unfinished jobs to the history. A job whose cancellation was requested ends as {@link
     * JobState#CANCELLED}, instead of waiting again or failing. A completion that was applied before is accepted
     * again.
     */
    List<CompletionResult> complete(List<Completion> completions);

    /**
     * Lowers {@link Job#inDoubt()} by one for each job, because an attempt that counted as lost has ended after all.
     * The jobs may lie in several groups. Rows that another transaction has locked keep their doubt. That is safe,
     * because {@link JobChanges#cancel} then still answers that an attempt may be under way.
     */
    void settleDoubt(Collection<JobId> ids);

    /**
     * Rescues lost rows that are as they were read (id and token): they wait again, due {@code now}. Failures,
     * rescues and doubt are each raised by one. Skips locked rows. A job whose cancellation was requested ends as
     * {@link JobState#CANCELLED}.
     *
     * @return the rows that wait again, as they are now
     */
    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken);
}
