package io.delayjob.store;

import io.delayjob.job.Completion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of the store's own database in which handlers are called: what a handler writes there and the end of its
 * attempt become durable together, or not at all. Thread-safe.
 */
@FunctionalInterface
public interface HandlerTransactions {

    /** What is done within a transaction. */
    @FunctionalInterface
    interface Work {

        /** Does it, once; answers the end of the attempt, which is still to be written. */
        Completion perform() throws Exception;
    }

    /**
     * Begins a transaction, whatever the caller has open; does the work in it, on this thread; and writes the end that the work
     * answers as its last statement, fenced as by {@link JobStore#complete}, whatever the isolation. If the fence holds it
     * commits, else it rolls back. Who holds the row locked is waited for, as long as a statement may take: the work cannot be
     * put off like an end. Nothing is ever done twice.
     *
     * @param timeout after which the transaction fails; {@code null}: as the database's transactions do
     * @return {@link CompletionResult#ACCEPTED} or {@link CompletionResult#ACCEPTED_CANCELLED}: committed;
     *     {@link CompletionResult#FENCED}: rolled back
     * @throws StoreException when the transaction could not begin, and the work was not done; or the end could not be written
     * @throws Exception what the work has thrown: all is rolled back; or what the database said to the commit. Then, and after
     *     any error once the work is done, the transaction may have been committed, or may be yet: the row tells, by the end's
     *     fresh token
     */
    CompletionResult complete(Work work, @Nullable Duration timeout) throws Exception;
}
