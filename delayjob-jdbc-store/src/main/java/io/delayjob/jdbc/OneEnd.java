package io.delayjob.jdbc;

import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the outcome of one attempt within the current transaction, which has locked the row of the job. The class
 * reads only this row. So it works at any isolation level. Thread-safe.
 */
final class OneEnd {

    private final Endings endings;
    private final ReturnedRows returned;
    private final AttemptRows attempts;
    private final Followers followers;

    private OneEnd(Endings endings, ReturnedRows returned, AttemptRows attempts, Followers followers) {
        this.endings = endings;
        this.returned = returned;
        this.attempts = attempts;
        this.followers = followers;
    }

    /** Creates a writer that works in any transaction, including the caller's. */
    static OneEnd inAny(Database database, Queues queues) {
        return new OneEnd(
                Endings.inAny(database),
                ReturnedRows.inAny(database),
                AttemptRows.inAny(database),
                Followers.inAny(database, queues));
    }

    /** Creates a writer that works only in the store's own transactions. */
    static OneEnd inOwn(Database database, Queues queues) {
        return new OneEnd(
                Endings.inOwn(database),
                ReturnedRows.inOwn(database),
                AttemptRows.inOwn(database),
                Followers.inOwn(database, queues));
    }

    /**
     * Writes the outcome of the attempt if the job's row still has the expected token.
     *
     * @param locked the row of the job; {@code null} if the row does not exist
     */
    CompletionResult write(Completion completion, @Nullable Job locked) {
        boolean cancelled = locked != null && locked.cancelRequested() && !finishes(completion);
        CompletionResult result = cancelled ? CompletionResult.ACCEPTED_CANCELLED : CompletionResult.ACCEPTED;
        if (!matches(completion, cancelled)) {
            return CompletionResult.FENCED;
        }
        if (!leavesNoRow(completion, result)) {
            attempts.write(List.of(completion));
        }
        if (!cancelled) {
            followers.write(List.of(completion));
        }
        return result;
    }

    private boolean matches(Completion completion, boolean cancelled) {
        if (cancelled) {
            return endings.write(List.of(Endings.Ending.of(completion, JobState.CANCELLED)))
                    .isEmpty();
        }
        return completion.next() instanceof Transition.Ended ended
                ? endings.write(List.of(Endings.Ending.of(completion, ended.state())))
                        .isEmpty()
                : returned.write(List.of(completion)).isEmpty();
    }

    /**
     * Tells whether the job leaves no row in the history. For such a job, the attempt log must stay unwritten. No later
     * call would delete the log.
     */
    static boolean leavesNoRow(Completion completion, CompletionResult result) {
        return !completion.keep() && (result == CompletionResult.ACCEPTED_CANCELLED || finishes(completion));
    }

    /** A requested cancellation makes no difference: a job that succeeds becomes FINISHED all the same. */
    static boolean finishes(Completion completion) {
        return completion.next() instanceof Transition.Ended ended && ended.state() == JobState.FINISHED;
    }
}
