package io.delayjob.job;

/** What cancelling found. Holds once the caller's transaction commits. */
public enum CancelResult {
    /** Cancelled, now or before: no attempt starts afterwards. */
    CANCELLED,
    /**
     * Cancelled: no attempt starts afterwards. But an earlier attempt, lost with its instance or timed out, may still
     * be under way somewhere.
     */
    CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT,
    /** An attempt is under way, or claimed and starts within moments: it may finish, no other follows. */
    RUNNING,
    /** It had finished or failed before. */
    ALREADY_ENDED,
    /** No such job; by key: no unfinished one. */
    NOT_FOUND;

    /** What to answer about a job that is cancelled: an attempt in doubt may still be under way. */
    public static CancelResult ofCancelled(Job job) {
        return job.inDoubt() > 0 ? CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT : CANCELLED;
    }
}
