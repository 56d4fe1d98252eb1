package io.delayjob.jdbc;

import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the outcome of one attempt. The current transaction must have locked the job's row. The class reads only this
 * row, so it works at any isolation level. Thread-safe.
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

    static OneEnd inAny(Database database, Queues queues) {
        return new OneEnd(
                Endings.inAny(database),
                ReturnedRows.inAny(database),
                AttemptRows.inAny(database),
                Followers.inAny(database, queues));
    }

    static OneEnd inOwn(Database database, Queues queues) {
        return new OneEnd(
                Endings.inOwn(database),
                ReturnedRows.inOwn(database),
                AttemptRows.inOwn(database),
                Followers.inOwn(database, queues));
    }

    /** @param locked the row of the job; {@code null} if the row does not exist */
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
     * Tells whether the job leaves no row. Such a job must have no attempt log, because no later call would delete the
     * log.
     */
    static boolean leavesNoRow(Completion completion, CompletionResult result) {
        return !completion.keep() && (result == CompletionResult.ACCEPTED_CANCELLED || finishes(completion));
    }

    /** A job that succeeds becomes FINISHED even if its cancellation was requested. */
    static boolean finishes(Completion completion) {
        return completion.next() instanceof Transition.Ended ended && ended.state() == JobState.FINISHED;
    }
}
