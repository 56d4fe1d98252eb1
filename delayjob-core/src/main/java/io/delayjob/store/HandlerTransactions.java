package io.delayjob.store;

import io.delayjob.job.Completion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls handlers in transactions of the store's own database. The handler's own writes in this database and the outcome
 * of its attempt are committed together, or not at all. Thread-safe.
 */
@FunctionalInterface
public interface HandlerTransactions {

    /** The work to do within a transaction. */
    @FunctionalInterface
    interface Work {

        /** Does the work, once. Returns the object that decides the outcome of the attempt. */
        Decision perform() throws Exception;
    }

    /** Decides the outcome of an attempt after its work is done. */
    @FunctionalInterface
    interface Decision {

        /**
         * Returns the outcome of the attempt. The caller writes it. This method is called once, after all writes of the
         * work have reached the database.
         */
        Completion end() throws Exception;
    }

    /**
     * Begins a new transaction, even if the caller has one open, and does the work in it, on this thread. Then it
     * flushes pending writes, such as those of JPA, and asks for the outcome of the attempt. The last statement of the
     * transaction writes this outcome under the condition on the token that {@link JobStore#complete} has, at any
     * isolation level. If the condition is met, the transaction commits; otherwise it rolls back. If the row is locked,
     * this method waits for as long as a statement may take, because the work cannot be postponed. It never does the
     * work twice.
     *
     * @param timeout the time after which the transaction fails; {@code null} means the database's own limit
     * @return {@link CompletionResult#ACCEPTED} or {@link CompletionResult#ACCEPTED_CANCELLED} after a commit;
     *     {@link CompletionResult#FENCED} after a rollback
     * @throws StoreException if the transaction could not begin, so that the work was not done, or if the outcome could
     *     not be written
     * @throws Exception the exception of the work, of the flush or of the commit. After an exception of the work or the
     *     flush, everything is rolled back. After a later error, the transaction may have committed, or may still
     *     commit. If the row has the fresh token of the outcome, the transaction has committed
     */
    CompletionResult complete(Work work, @Nullable Duration timeout) throws Exception;
}
