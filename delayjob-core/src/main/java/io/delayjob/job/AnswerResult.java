package io.delayjob.job;

/**
 * Result of an answer that another system gave to a waiting attempt. The result is valid only after the caller's
 * transaction has committed.
 */
public enum AnswerResult {
    /** The answer was accepted: it has ended the attempt, or has moved the deadline. */
    TAKEN,
    /**
     * The job is cancelled, by this answer or by an earlier request. No further attempt follows, so the system that
     * answered may stop its work. If the answer was "done" and came before the job had ended, the attempt log contains
     * the answer.
     */
    CANCELLED,
    /**
     * The answer has changed nothing, and sending the same answer again has no effect. The run was already answered,
     * has ended in another way, or has a new attempt because the earlier attempt was lost or timed out.
     */
    NOT_AWAITED,
    /** The job does not exist, or its history has been purged. */
    NOT_FOUND,
    /**
     * The answer waits for the commit of the caller's transaction, because the store cannot join that transaction. If
     * the job does not await the answer at the time of the commit, the answer has no effect.
     */
    ON_COMMIT
}
