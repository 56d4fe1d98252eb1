package io.delayjob.job;

/** What rescheduling a waiting job, or retrying a failed one, found. Holds once the caller's transaction commits. */
public enum ChangeResult {
    /** Done: the job waits for its new time. */
    CHANGED,
    /** An attempt is under way, or claimed and starts within moments: nothing was changed. */
    RUNNING,
    /** Retry: the job waits already, nothing was changed. */
    WAITING,
    /** The job has ended (retry: finished or cancelled, not failed): nothing was changed. */
    ALREADY_ENDED,
    /** Retry: an unfinished job has taken the failed one's key: nothing was changed. */
    KEY_IN_USE,
    /** No such job. */
    NOT_FOUND
}
