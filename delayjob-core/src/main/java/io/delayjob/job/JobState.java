package io.delayjob.job;

/** The state of a job. All states except {@link #READY} and {@link #AWAITING} are stored. */
public enum JobState {
    /** The job waits for its due time. */
    DELAYED,
    /**
     * The job is due and not yet claimed. This state is not stored: the row has the state {@link #DELAYED}, and its due
     * time has passed.
     */
    READY,
    /** An instance has claimed the job, and has called the handler or is about to call it. */
    RUNNING,
    /**
     * The handler has returned, and its attempt awaits an answer from outside. This state is not stored: the row has
     * the state {@link #DELAYED}, and is due at the deadline of the answer.
     */
    AWAITING,
    /** The job has ended successfully. */
    FINISHED,
    /**
     * The job has failed, and delayjob does not retry it. The failed job is kept with its error and payload, and a
     * person may retry it.
     */
    FAILED,
    /** The job was cancelled before, between or after attempts, or has expired before its first attempt. */
    CANCELLED;

    /** Tells whether a job in this state has ended. */
    public boolean isEnded() {
        return this == FINISHED || this == FAILED || this == CANCELLED;
    }
}
