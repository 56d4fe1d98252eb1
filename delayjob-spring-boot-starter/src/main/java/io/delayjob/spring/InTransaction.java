package io.delayjob.spring;

/** Decides what happens to a call within a transaction that the job store cannot join. */
public enum InTransaction {
    /** The call takes effect when the transaction commits. After a rollback, the call has no effect. */
    AFTER_COMMIT,

    /** The call takes effect at once, even if the transaction rolls back. */
    NOW,

    /** The call is refused. */
    REFUSE
}
