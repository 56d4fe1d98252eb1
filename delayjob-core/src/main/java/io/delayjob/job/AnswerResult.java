package io.delayjob.job;

/** Result of an answer to a waiting attempt. The result is valid only after the caller's transaction has committed. */
public enum AnswerResult {
    /** The answer was accepted: it has ended the attempt, or has moved the deadline. */
    TAKEN,
    /** The job is cancelled, and no further attempt follows. The system that answered may stop its work. */
    CANCELLED,
    /**
     * The answer has changed nothing, because this answer is no longer awaited. Sending the same answer again has no
     * effect.
     */
    NOT_AWAITED,
    /** The job does not exist, or its history has been purged. */
    NOT_FOUND,
    /**
     * The answer takes effect only at the commit, because the store cannot join the caller's transaction. If the job
     * does not await the answer at the commit, the answer has no effect.
     */
    ON_COMMIT
}
