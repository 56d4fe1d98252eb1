package io.delayjob.spring;

/** Decides what happens to a call within a transaction that the job store cannot join. */
public enum InTransaction {
    /** The call waits for the commit of the transaction, and has no effect after a rollback. */
    AFTER_COMMIT,

    /** The call takes effect at once, even if the transaction rolls back. */
    NOW,

    /** The call is refused. */
    REFUSE
}
