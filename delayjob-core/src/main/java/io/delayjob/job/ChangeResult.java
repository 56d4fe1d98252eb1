package io.delayjob.job;

/** Result of rescheduling a waiting job, or of retrying a failed job. Valid once the caller's transaction commits. */
public enum ChangeResult {
    /** The job was changed and waits for its new time. */
    CHANGED,
    /**
     * Nothing was changed: an attempt is under way, starts within moments because the job is claimed, or awaits an
     * answer.
     */
    RUNNING,
    /** Nothing was changed: the job to retry waits already. */
    WAITING,
    /** Nothing was changed: the job has ended. For a retry: the job has finished or was cancelled. */
    ALREADY_ENDED,
    /** Nothing was changed: an unfinished job has taken the key of the failed job to retry. */
    KEY_IN_USE,
    /** There is no such job. */
    NOT_FOUND,
    /**
     * The change waits for the commit of the caller's transaction, because the store cannot join that transaction. It
     * has no effect if the job cannot be changed then.
     */
    ON_COMMIT
}
