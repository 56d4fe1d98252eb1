package io.delayjob.job;

/** The state of a job. All states except {@link #READY} and {@link #AWAITING} are stored. */
public enum JobState {
    /** The job waits for its due time. */
    DELAYED,
    /**
     * The job is due and not yet claimed: its row is {@link #DELAYED}, and its due time has passed. The store never
     * contains this state; it is derived from the due time.
     */
    READY,
    /** An instance has claimed the job. The instance has called the handler of the job, or is about to call it. */
    RUNNING,
    /**
     * The handler has returned, and its attempt awaits an answer from outside. The row is {@link #DELAYED}, and due at
     * the deadline of the answer. The store never contains this state; delayjob derives it from the row.
     */
    AWAITING,
    /** The job has ended successfully. */
    FINISHED,
    /**
     * The job has failed for good after its last retry. A failed job is kept with its error and payload, and a person
     * may retry it.
     */
    FAILED,
    /** The job was cancelled before, between or after attempts, or has expired before its first attempt. */
    CANCELLED;

    /** Tells whether a job in this state has ended, so that nothing further happens to the job by itself. */
    public boolean isEnded() {
        return this == FINISHED || this == FAILED || this == CANCELLED;
    }
}
