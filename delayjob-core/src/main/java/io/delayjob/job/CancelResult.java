package io.delayjob.job;

/** Result of a cancellation. The result is valid only after the caller's transaction has committed. */
public enum CancelResult {
    /** The job is cancelled, by this call or by an earlier call. No further attempt of the job starts. */
    CANCELLED,
    /** The job is cancelled, and no further attempt starts. But an earlier attempt may still be under way. */
    CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT,
    /** An attempt is under way or starts within moments. This attempt may finish, but no other attempt follows. */
    RUNNING,
    /** The job had finished or failed before the call. */
    ALREADY_ENDED,
    /** The job does not exist, or was purged. If the call named a key, no unfinished job has this key. */
    NOT_FOUND,
    /**
     * The store cannot join the caller's transaction, so the cancellation takes effect only after the commit. Until
     * then, an attempt may start.
     */
    ON_COMMIT;

    /** Returns the result for a cancelled job. */
    public static CancelResult ofCancelled(Job job) {
        return job.inDoubt() > 0 || job.awaiting() ? CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT : CANCELLED;
    }
}
