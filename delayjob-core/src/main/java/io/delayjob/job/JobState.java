package io.delayjob.job;

/** The state of a job. All states except {@link #READY} and {@link #AWAITING} are stored. */
public enum JobState {
    /** Waiting for its time. */
    DELAYED,
    /** Due and not yet claimed: a {@link #DELAYED} row whose due time has passed. Derived, never stored. */
    READY,
    /** Claimed by an instance, which has called its handler or is about to do so. */
    RUNNING,
    /**
     * Its attempt has returned and awaits an answer from outside: a
     * {@link #DELAYED} row that is due at the deadline of the answer. Derived, never stored.
     */
    AWAITING,
    /** Ended successfully. */
    FINISHED,
    /** Failed for good after its last retry. The job is kept with its error and payload, and may be retried by hand. */
    FAILED,
    /** Cancelled before, between or after attempts, or expired before its first attempt. */
    CANCELLED;

    /** Tells whether nothing further happens to such a job by itself. */
    public boolean isEnded() {
        return this == FINISHED || this == FAILED || this == CANCELLED;
    }
}
