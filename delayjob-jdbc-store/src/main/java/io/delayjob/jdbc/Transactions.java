package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.connection.SilenceLimit;
import io.delayjob.job.DueRow;
import io.delayjob.store.DueSink;
import io.delayjob.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Runs work in the caller's transaction, or in a transaction of the store. After the commit, the class passes the rows
 * of waiting jobs to the timing wheel.
 *
 * <table>
 * <caption>Whose transaction</caption>
 * <tr><th>around the call</th><th>{@link #callers}</th><th>{@link #own(String, Supplier)}, {@link
 * #applications}</th></tr>
 * <tr><td>nothing</td><td>a new short one; a single row needs none, {@link LoneStatements}</td>
 *     <td>a short one of its own</td></tr>
 * <tr><td>a transaction on our DataSource</td><td>joins it</td><td>a short one of its own</td></tr>
 * <tr><td>the same, in {@code afterCommit} or without synchronisation</td><td>a short one of its own</td>
 *     <td>a short one of its own</td></tr>
 * <tr><td>a transaction on another DataSource</td><td>a short one of its own</td><td>a short one of its own</td></tr>
 * </table>
 *
 * <p>Errors are thrown as {@link StoreException}s. After a conflict with another transaction, the store repeats the
 * work, but only in its own transactions. Thread-safe.
 */
final class Transactions {

    /** Maximum number of tries. Deadlocks are rare, and a second try seldom fails again. */
    private static final int MAX_ATTEMPTS = 3;

    private static final Logger log = LoggerFactory.getLogger(Transactions.class);

    @FunctionalInterface
    interface Work<T> {
        T in(Run run);
    }

    static final class Run {
        private final boolean readsLatest;
        private final DueSink sink;
        private DueSink asOfChange = DueSink.NONE;
        private final List<DueRow> waiting = new ArrayList<>();
        private final List<Runnable> onCommit = new ArrayList<>();
        private final List<Runnable> afterCommit = new ArrayList<>();

        private Run(boolean readsLatest, DueSink sink) {
            this.readsLatest = readsLatest;
            this.sink = sink;
        }

        /** If {@code false}, a plain read shows the state at the beginning of the transaction. */
        boolean readsLatest() {
            return readsLatest;
        }

        /**
         * Collects rows for the sink. The transaction must already have written them, because this method calls {@link
         * DueSink#asOfNow()}.
         */
        void leavesWaiting(List<DueRow> rows) {
            waiting.addAll(rows);
            asOfChange = sink.asOfNow();
        }

        /** The action does not run after a rollback to an earlier savepoint. */
        void onCommit(Runnable action) {
            onCommit.add(action);
        }

        /** The action runs even after a rollback to an earlier savepoint. */
        void afterCommit(Runnable action) {
            afterCommit.add(action);
        }
    }

    private final CallersTransaction callers;
    private final OwnTransactions own;
    private final LoneStatements lone;
    private final ApplicationTransactions applications;
    private final boolean requireTransaction;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** @param readCommitted whether connections are READ COMMITTED by default */
    Transactions(
            DataSource dataSource,
            PlatformTransactionManager manager,
            SilenceLimit silence,
            boolean readCommitted,
            boolean requireTransaction) {
        this.callers = new CallersTransaction(dataSource, manager, readCommitted);
        this.own = new OwnTransactions(dataSource, manager, silence, readCommitted);
        this.lone = new LoneStatements(dataSource, own);
        this.applications = new ApplicationTransactions(dataSource, manager);
        this.requireTransaction = requireTransaction;
    }

    /**
     * Refuses new jobs if a required transaction is missing. If the answer to a commit is lost, missing jobs are not
     * written again, because they may have run already.
     *
     * @param atOnce work that saves the round trip of a commit; tried first if there is no transaction to join
     * @param proof tells from the tables whether the work was committed; called after a lost answer
     */
    <T> T submitting(
            String doing,
            DueSink sink,
            LoneStatements.@Nullable AtOnce<?, T> atOnce,
            Work<T> work,
            Predicate<T> proof) {
        if (callers.canBeJoined()) {
            return joined(doing, sink, work);
        }
        if (requireTransaction) {
            String message = "No transaction to join while %s: delayjob.jdbc.require-transaction demands a "
                    + "transaction on the job tables' own DataSource. Make the call within @Transactional, "
                    + "or within a TransactionTemplate of that DataSource's manager.";
            throw StoreException.refused(
                    message.formatted(doing), new IllegalTransactionStateException("no active transaction to join"));
        }
        if (callers.isOnAnyDataSource() && !warned.getAndSet(true)) {
            log.warn("A call scheduled a job within a transaction that does not use the DataSource of the job tables, "
                    + "so a rollback does not remove the job. To write jobs and data in one transaction, "
                    + "create the job tables in the database of your data, and mark its DataSource with "
                    + "@DelayJobDataSource. To refuse such calls, set delayjob.jdbc.require-transaction=true. "
                    + "delayjob logs this message only once.");
        }
        return own(doing, sink, atOnce, work, proof);
    }

    /** Runs the work in the caller's transaction if possible. */
    <T> T callers(String doing, DueSink sink, Work<T> work) {
        return callers.canBeJoined() ? joined(doing, sink, work) : own(doing, sink, null, work, result -> false);
    }

    /** Suspends the caller's transaction meanwhile. */
    <T> T own(String doing, Supplier<T> work) {
        return own(doing, DueSink.NONE, null, run -> work.get(), result -> false);
    }

    /**
     * @param straight work that writes the rows directly, and fails if another transaction has locked a row
     * @param lockingFirst work that locks the rows first, and skips the rows that another transaction has locked
     */
    <T> T own(String doing, HeldRows held, Supplier<T> straight, Supplier<T> lockingFirst) {
        return own(doing, held.unlessHeld(straight, lockingFirst));
    }

    boolean readsLatest() {
        return !callers.canBeJoined() || callers.readsLatest();
    }

    boolean areBesideCallers() {
        return callers.isOnAnyDataSource() && !callers.canBeJoined();
    }

    ApplicationTransactions applications() {
        return applications;
    }

    private <T> T joined(String doing, DueSink sink, Work<T> work) {
        Run run = new Run(callers.readsLatest(), sink);
        try {
            T result = callers.join(() -> work.in(run));
            HandOver handOver = HandOver.ofTransaction(this);
            handOver.add(sink, run.waiting, run.onCommit);
            handOver.addInAnyCase(run.afterCommit);
            return result;
        } catch (RuntimeException error) {
            throw StoreErrors.translateInCallers(doing, error);
        }
    }

    /**
     * If the database's answer is lost, the work is never repeated. For example, a repeated claim would find no rows.
     */
    private <T> T own(
            String doing,
            DueSink sink,
            LoneStatements.@Nullable AtOnce<?, T> atOnce,
            Work<T> work,
            Predicate<T> proof) {
        for (int attempt = 1; ; attempt++) {
            Run run = new Run(true, sink);
            try {
                DueSink asOfCreation = sink.asOfNow();
                if (atOnce != null && lone.wrote(doing, atOnce, proof)) {
                    HandOver.now(asOfCreation, atOnce.waiting());
                    return atOnce.result();
                }
                T result = own.run(doing, () -> work.in(run), proof);
                HandOver.now(run.asOfChange, List.copyOf(run.waiting));
                run.onCommit.forEach(Runnable::run);
                run.afterCommit.forEach(Runnable::run);
                return result;
            } catch (RuntimeException error) {
                if (attempt == MAX_ATTEMPTS || !StoreErrors.isConflict(error)) {
                    throw StoreErrors.translate(doing, error);
                }
                log.debug(
                        "delayjob repeats a transaction ({}, try {}), because it conflicted with another "
                                + "transaction. The error: {}",
                        doing,
                        attempt + 1,
                        error.getMessage());
            }
        }
    }

    void limitSilence() {
        own.limitSilence();
    }

    /** Runs the read outside all transactions, even outside the caller's transaction. */
    <T> T outside(String doing, Supplier<T> read) {
        return own.outside(doing, read);
    }

    /** If the caller has no connection of this DataSource, the store limits how long the read waits for an answer. */
    <T> T reading(String doing, Supplier<T> read) {
        if (!own.hasCallerConnection() && !callers.canBeJoined()) {
            return own.outside(doing, read);
        }
        try {
            return read.get();
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    /**
     * Without a caller's transaction, the read runs in a transaction of its own, because a dialect may first send
     * settings.
     */
    <T> T reading(String doing, Supplier<T> joined, Supplier<T> alone) {
        return callers.canBeJoined() ? reading(doing, joined) : own(doing, alone);
    }
}
