package io.delayjob.store;

import io.delayjob.job.Completion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls handlers in transactions of the store's own database. The writes of the handler in this database and the
 * outcome of its attempt are committed together, or not at all. Thread-safe.
 */
@FunctionalInterface
public interface HandlerTransactions {

    /** The work that is done within a transaction. */
    @FunctionalInterface
    interface Work {

        /** Does the work; this method is called once. The returned object decides the outcome of the attempt. */
        Decision perform() throws Exception;
    }

    /** Decides the outcome of an attempt after its work is done. */
    @FunctionalInterface
    interface Decision {

        /**
         * Returns the outcome of the attempt. The caller of this method writes the outcome. This method is called once,
         * after all writes of the work have reached the database.
         */
        Completion end() throws Exception;
    }

    /**
     * Begins a new transaction, even if the caller has an open one, and does the work in the new transaction, on this
     * thread. After the work, the method flushes pending writes, such as those of JPA, and asks for the outcome of the
     * attempt. The last statement of the transaction writes this outcome if the row has the right token, as in {@link
     * JobStore#complete}. This check must work at any isolation level. If the row has the right token, the transaction
     * commits; otherwise it rolls back. The method never does the work twice. So if another transaction has locked the
     * row, the method cannot try again later. It waits for the lock as long as a statement may take.
     *
     * @param timeout the time after which the transaction fails; {@code null} means the database's own limit
     * @return {@link CompletionResult#ACCEPTED} or {@link CompletionResult#ACCEPTED_CANCELLED} after a commit;
     *     {@link CompletionResult#FENCED} after a rollback
     * @throws StoreException if the transaction could not begin (then the work was not done), or if the store could not
     *     write the outcome
     * @throws Exception the exception that the work, the flush or the commit has thrown. After an exception of the work
     *     or of the flush, everything is rolled back. After a later error, the transaction may have committed, or may
     *     still commit. If the row has the fresh token of the outcome, the transaction has committed
     */
    CompletionResult complete(Work work, @Nullable Duration timeout) throws Exception;
}
