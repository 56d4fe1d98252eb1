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

        /** Does it, once; answers what then decides on the end of the attempt. */
        Decision perform() throws Exception;
    }

    /** Decides how an attempt has ended whose work is done. */
    @FunctionalInterface
    interface Decision {

        /**
         * Answers the end, which is still to be written; asked once, when all that the work wrote has reached the
         * database.
         */
        Completion end() throws Exception;
    }

    /**
     * Begins a transaction, whatever the caller has open; does the work in it, on this thread; writes what the work has
     * only noted so far, as JPA does; asks for the end; and writes that as its last statement, fenced as by {@link
     * JobStore#complete}, whatever the isolation. If the fence holds it commits, else it rolls back. Who holds the row
     * locked is waited for, as long as a statement may take: the work cannot be put off like an end. Nothing is ever
     * done twice.
     *
     * @param timeout after which the transaction fails; {@code null}: as the database's transactions do
     * @return {@link CompletionResult#ACCEPTED} or {@link CompletionResult#ACCEPTED_CANCELLED}: committed;
     *     {@link CompletionResult#FENCED}: rolled back
     * @throws StoreException when the transaction could not begin, and the work was not done; or the end could not be
     *     written
     * @throws Exception what the work has thrown, or the database to what was only noted: all is rolled back; or what
     *     the database said to the commit. Then, and after any error once the end is decided, the transaction may have
     *     been committed, or may be yet: the row tells, by the end's fresh token
     */
    CompletionResult complete(Work work, @Nullable Duration timeout) throws Exception;
}
