package io.delayjob.internal.complete;

import io.delayjob.job.Completion;
import io.delayjob.job.JobId;
import io.delayjob.store.CompletionResult;

/** What an attempt leaves to the {@link Completer}. */
sealed interface End {

    /** An end that is to be written. */
    record Written(EndedAttempt attempt) implements End {}

    /**
     * An end of an attempt whose own transaction may have committed.
     *
     * @param committed the end that applies if that transaction did commit
     * @param beganNanos monotonic time before that commit
     */
    record Doubtful(EndedAttempt attempt, Completion committed, long beganNanos) implements End {}

    /**
     * An end on which the store has decided.
     *
     * @param beganNanos monotonic time before that decision
     */
    record Decided(EndedAttempt attempt, CompletionResult result, long beganNanos) implements End {}

    /** An attempt that has ended after it was written off. */
    record Noted(JobId job) implements End {}
}
