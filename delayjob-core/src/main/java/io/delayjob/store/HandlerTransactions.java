package io.delayjob.store;

import io.delayjob.job.Completion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls handlers in transactions of the store's own database. One commit covers the handler's writes in this database
 * and the outcome of its attempt. Thread-safe.
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
         * Returns the outcome of the attempt, so that the store can write it. The store calls this method once, after
         * all writes of the work have reached the database.
         */
        Completion end() throws Exception;
    }

    /**
     * Begins a new transaction, even if the caller has an open transaction. Then the method does the work in the new
     * transaction, on the calling thread. After the work, the method flushes pending writes, for example the writes of
     * JPA. Then the method calls {@link Decision#end()}, which returns the outcome of the attempt. The last statement
     * of the transaction writes this outcome if the row has the right token, as in {@link JobStore#complete}. The check
     * of the token must work at any isolation level. If the row has the right token, the transaction commits.
     * Otherwise, the transaction rolls back. The method never does the work twice. If another transaction has locked
     * the row, the method waits for the lock. The longest wait is the maximum duration of a statement.
     *
     * @param timeout the time after which the transaction fails; {@code null} if only the database's own limit applies
     * @return {@link CompletionResult#ACCEPTED} or {@link CompletionResult#ACCEPTED_CANCELLED} after a commit; {@link
     *     CompletionResult#FENCED} after a rollback
     * @throws StoreException if the store could not begin the transaction, or could not write the outcome. If the
     *     transaction could not begin, the work was not done
     * @throws Exception the exception that the work, the flush or the commit has thrown. If the work or the flush has
     *     thrown the exception, everything is rolled back. If an error occurs after the flush, the transaction may have
     *     committed, or may still commit. If the row has the fresh token of the outcome, the transaction has committed
     */
    CompletionResult complete(Work work, @Nullable Duration timeout) throws Exception;
}
