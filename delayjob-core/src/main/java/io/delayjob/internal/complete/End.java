package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import io.delayjob.job.JobId;
import io.delayjob.store.CompletionResult;

/** An entry in the queue of the {@link Completer}. */
sealed interface End {

    record Written(EndedAttempt attempt) implements End {}

    /**
     * The outcome of an attempt with its own transaction, if that transaction may have committed.
     *
     * @param beganNanos a monotonic time before that commit
     */
    record Doubtful(EndedAttempt attempt, Completion committed, long beganNanos) implements End {}

    /** @param beganNanos a monotonic time before the store decided */
    record Decided(EndedAttempt attempt, CompletionResult result, long beganNanos) implements End {}

    /** An attempt that ended after the engine had written off the attempt. */
    record Noted(JobId job) implements End {}
}
