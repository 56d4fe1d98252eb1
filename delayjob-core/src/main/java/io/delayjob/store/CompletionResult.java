package io.delayjob.store;

/** Whether the store took a {@link io.delayjob.job.Completion}. */
public enum CompletionResult {
    /** Taken: the row is as the completion says. */
    ACCEPTED,
    /**
     * Taken, but a cancellation had been requested: the job has ended as CANCELLED; it neither waits nor is a dead
     * letter.
     */
    ACCEPTED_CANCELLED,
    /** Refused: the row has moved on since the claim; another attempt may have followed. */
    FENCED,
    /**
     * Refused: nothing is left of the job. It has ended, by this very completion or by another one, and leaves no row.
     */
    GONE,
    /** Nothing was written for this one: somebody else holds its row. To be sent again, unchanged. */
    LOCKED
}
