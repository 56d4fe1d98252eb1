package io.delayjob.store;

import io.delayjob.job.Completion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of the store's own database in which handlers are called. The handler's own writes there and the end
 * of its attempt become durable together, or not at all. Thread-safe.
 */
@FunctionalInterface
public interface HandlerTransactions {

    /** The work to do within a transaction. */
    @FunctionalInterface
    interface Work {

        /** Does the work, once. Returns the decision on the end of the attempt. */
        Decision perform() throws Exception;
    }

    /** Decides on the end of an attempt whose work is done. */
    @FunctionalInterface
    interface Decision {

        /**
         * Returns the end, which the caller writes. The decision is asked for once, when all writes of the work have
         * reached the database.
         */
        Completion end() throws Exception;
    }

    /**
     * Begins a new transaction, even if the caller has one open, and does the work in it, on this thread. Then it
     * flushes writes that are still pending, as JPA does, and asks for the end. It writes the end as the last
     * statement, fenced as by {@link JobStore#complete}, at any isolation level. If the fence holds, the transaction
     * commits, otherwise it rolls back. If the row is locked, this waits for as long as a statement may take, because
     * the work cannot be postponed. Nothing is ever done twice.
     *
     * @param timeout the time after which the transaction fails; {@code null} means the database's own limit
     * @return {@link CompletionResult#ACCEPTED} or {@link CompletionResult#ACCEPTED_CANCELLED} after a commit;
     *     {@link CompletionResult#FENCED} after a rollback
     * @throws StoreException when the transaction could not begin, so the work was not done; or when the end
     *     could not be written
     * @throws Exception the exception of the work, or of the database for pending writes: all is rolled back; or
     *     the exception of the commit. After an exception of the commit, or any error after the end was decided, the
     *     transaction may have committed or may still commit. It has committed if the row has the end's fresh token
     */
    CompletionResult complete(Work work, @Nullable Duration timeout) throws Exception;
}
