package io.delayjob.job;

/** Result of an answer from outside. Valid once the caller's transaction commits. */
public enum AnswerResult {
    /** The answer was taken: it has ended the attempt, or has moved the deadline. */
    TAKEN,
    /**
     * The job is cancelled, by this answer or before. No further attempt follows, so the other system may stop its
     * work. If the answer was "done" and came before the job had ended, it is in the attempt log.
     */
    CANCELLED,
    /**
     * Nothing was changed, and sending the same answer again has no effect. The run was already answered, has ended in
     * another way, or has got a new attempt because this one was lost or timed out.
     */
    NOT_AWAITED,
    /** There is no such job, or its history has been purged. */
    NOT_FOUND,
    /**
     * The answer waits for the commit of the caller's transaction, because the store cannot join that transaction. It
     * has no effect if the job does not await it then.
     */
    ON_COMMIT
}
