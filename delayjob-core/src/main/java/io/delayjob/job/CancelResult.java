package io.delayjob.job;

/** Result of a cancellation. Valid once the caller's transaction commits. */
public enum CancelResult {
    /** The job is cancelled, by this call or before. No attempt starts afterwards. */
    CANCELLED,
    /**
     * The job is cancelled, and no attempt starts afterwards. But an earlier attempt may still be under way, because it
     * was lost with its instance, has timed out, or awaited an answer from outside.
     */
    CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT,
    /**
     * An attempt is under way, or starts within moments because the job is claimed. This attempt may finish, but no
     * other attempt follows.
     */
    RUNNING,
    /** The job had finished or failed before. */
    ALREADY_ENDED,
    /**
     * The job does not exist, or its history has been purged. For a cancellation by key: no unfinished job has the key.
     */
    NOT_FOUND,
    /**
     * The cancellation waits for the commit of the caller's transaction, because the store cannot join that
     * transaction. Until then, an attempt may start.
     */
    ON_COMMIT;

    /** Returns the result for a cancelled job. It tells whether an attempt may still be under way. */
    public static CancelResult ofCancelled(Job job) {
        return job.inDoubt() > 0 || job.awaiting() ? CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT : CANCELLED;
    }
}
