package io.delayjob.store;

/** The store's answer to a {@link io.delayjob.job.Completion}. */
public enum CompletionResult {
    /** Accepted: the row now has the values of the completion. */
    ACCEPTED,
    /**
     * Accepted, but a cancellation had been requested. The job has ended as CANCELLED, instead of waiting again or
     * failing.
     */
    ACCEPTED_CANCELLED,
    /** Refused: the row has changed since the claim, so another attempt may have followed. */
    FENCED,
    /**
     * Refused: another outcome of the same attempt was accepted before, such as an answer from outside. No other
     * attempt has been claimed since.
     */
    SUPERSEDED,
    /** Refused: the job no longer exists. This completion or another has ended the job, and has left no row. */
    GONE,
    /**
     * Not written yet, because another transaction has locked the row. Send the same completion again.
     */
    LOCKED
}
