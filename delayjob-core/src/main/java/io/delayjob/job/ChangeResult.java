package io.delayjob.job;

/**
 * Result of rescheduling a waiting job, or of retrying a failed job. The result is valid only after the caller's
 * transaction has committed.
 */
public enum ChangeResult {
    /** The job was changed and waits for its new time. */
    CHANGED,
    /**
     * Nothing was changed, for one of three reasons: an attempt of the job is under way, the job awaits an answer, or
     * the job is claimed and starts within moments.
     */
    RUNNING,
    /** Nothing was changed, because the job to retry is already waiting for an attempt. */
    WAITING,
    /**
     * Nothing was changed, because the job has ended. For a retry, this means that the job has finished or was
     * cancelled.
     */
    ALREADY_ENDED,
    /** Nothing was changed, because an unfinished job has the same key as the failed job to retry. */
    KEY_IN_USE,
    /** The job does not exist. */
    NOT_FOUND,
    /**
     * The change waits for the commit of the caller's transaction, because the store cannot join that transaction. If
     * the job cannot be changed at the time of the commit, the change has no effect.
     */
    ON_COMMIT
}
