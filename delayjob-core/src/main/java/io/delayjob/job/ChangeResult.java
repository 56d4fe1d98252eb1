package io.delayjob.job;

/**
 * Result of rescheduling a waiting job or retrying a failed job. The result is valid only after the caller's
 * transaction has committed.
 */
public enum ChangeResult {
    /** The job was changed and waits for its new time. */
    CHANGED,
    /** Nothing was changed, because an attempt is under way, the job awaits an answer, or the job is claimed. */
    RUNNING,
    /** Nothing was changed, because the job to retry is already waiting for an attempt. */
    WAITING,
    /**
     * Nothing was changed, because the job has ended. A call that retries a job returns this value only if the job has
     * finished or was cancelled.
     */
    ALREADY_ENDED,
    /** Nothing was changed, because an unfinished job has the same key as the failed job to retry. */
    KEY_IN_USE,
    /** The job does not exist. */
    NOT_FOUND,
    /**
     * The store cannot join the caller's transaction, so the job is changed only after the commit. If the job cannot be
     * changed at that time, the call has no effect.
     */
    ON_COMMIT
}
