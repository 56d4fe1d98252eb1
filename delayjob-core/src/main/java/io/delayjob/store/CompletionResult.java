package io.delayjob.store;

/** The store's answer to a {@link io.delayjob.job.Completion}. */
public enum CompletionResult {
    /** The completion was accepted: the row now has the values of the completion. */
    ACCEPTED,
    /**
     * The completion was accepted, but a cancellation had been requested. The job has ended as CANCELLED, instead of
     * waiting again or failing.
     */
    ACCEPTED_CANCELLED,
    /** The completion was refused: the row has changed since the claim, so another attempt may have followed. */
    FENCED,
    /**
     * The completion was refused: the store had already accepted another outcome of the same attempt, such as an answer
     * from outside. No other attempt of the job has been claimed since that outcome.
     */
    SUPERSEDED,
    /**
     * The completion was refused: the job has ended, and the history does not contain it. Perhaps an earlier call with
     * this completion has ended the job.
     */
    GONE,
    /** The completion is not written yet, because another transaction has locked the row. Send the completion again. */
    LOCKED
}
