package io.delayjob.store;

/** The store's answer to a {@link io.delayjob.job.Completion}. */
public enum CompletionResult {
    /** The completion was accepted: the row now has the values of the completion. */
    ACCEPTED,
    /**
     * The completion was accepted, but a cancellation of the job had been requested. The job has ended as CANCELLED,
     * instead of waiting again or failing.
     */
    ACCEPTED_CANCELLED,
    /** The completion was refused: the row has changed since the claim, so another attempt may have followed. */
    FENCED,
    /**
     * The completion was refused. The store had already accepted another outcome of the same attempt, such as an answer
     * from outside. No other attempt of the job has been claimed since then.
     */
    SUPERSEDED,
    /**
     * The completion was refused, because the job no longer exists. This completion or another completion has ended the
     * job. The row of the job was deleted.
     */
    GONE,
    /**
     * The completion is not written yet, because another transaction has locked the row. Send the same completion
     * again.
     */
    LOCKED
}
