package io.delayjob.job;

/** Result of an answer to a waiting attempt. The result is valid only after the caller's transaction has committed. */
public enum AnswerResult {
    /** The answer was accepted: it has ended the attempt, or has moved the deadline. */
    TAKEN,
    /**
     * The job is cancelled, and no further attempt follows. The system that answered can stop its work for this job.
     */
    CANCELLED,
    /**
     * The answer has changed nothing, because this answer is no longer awaited. Sending the same answer again has no
     * effect.
     */
    NOT_AWAITED,
    /** The job does not exist, or its history has been purged. */
    NOT_FOUND,
    /**
     * The store cannot join the caller's transaction, so the answer takes effect only after the commit. If the job no
     * longer awaits the answer at that time, the answer has no effect.
     */
    ON_COMMIT
}
