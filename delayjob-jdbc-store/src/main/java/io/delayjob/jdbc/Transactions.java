package io.delayjob.jdbc;

import io.delayjob.jdbc.connection.QuietTransactionManager;
import io.delayjob.jdbc.connection.QuietTransactionManager.CommitFailedException;
import io.delayjob.jdbc.connection.SilenceLimit;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * In which transaction a piece of work runs, and what becomes of its errors and of the rows that it leaves waiting.
 *
 * <table>
 * <caption>Whose transaction</caption>
 * <tr><th>around the call</th><th>{@link #callers}</th><th>{@link #own(String, Supplier)}, {@link
 * #applications}</th></tr>
 * <tr><td>nothing</td><td>a short one of its own; a lone row needs none, {@link AtOnce}</td>
 *     <td>a short one of its own</td></tr>
 * <tr><td>a transaction on our DataSource</td><td>joins it</td><td>a short one of its own</td></tr>
 * <tr><td>the same, in {@code afterCommit} or without synchronisation</td><td>a short one of its own</td>
 *     <td>a short one of its own</td></tr>
 * <tr><td>a transaction on another DataSource</td><td>a short one of its own</td><td>a short one of its own</td></tr>
 * </table>
 *
 * <p>Errors come out as {@link StoreException}s. What loses against another transaction is repeated, a few times, where
 * the transaction is the store's own; the caller's cannot be repeated from here. Thread-safe.
 */
final class Transactions {

    /** Deadlocks and the like are rare, and their victims seldom lose twice. */
    private static final int MAX_ATTEMPTS = 3;

    /** Drivers count milliseconds in an {@code int}. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(20);

    private static final Logger log = LoggerFactory.getLogger(Transactions.class);

    /** Work within a transaction. */
    @FunctionalInterface
    interface Work<T> {
        /** Does the work, in the transaction that {@code run} stands for. */
        T in(Run run);
    }

    /** Work of an application's within a transaction. */
    @FunctionalInterface
    interface ApplicationsWork<T> {
        /** Does the work, in that transaction. */
        T in(TransactionStatus transaction) throws Exception;
    }

    /**
     * One row that may be written without a transaction, where a statement is committed by itself.
     *
     * @param group of those who write such rows
     * @param result what it comes to when it is written
     * @param waiting the rows that it leaves waiting then
     */
    record AtOnce<R, T>(R row, GroupCommit<R> group, T result, List<DueRow> waiting) {

        GroupCommit.Outcome write(Consumer<Runnable> connected) {
            GroupCommit.Outcome outcome = group.write(row, connected);
            // It has done nothing then, for the sake of one row.
            return outcome.shared() && outcome.error() != null && !StoreErrors.isPassing(outcome.error())
                    ? group.writeAlone(row, connected)
                    : outcome;
        }
    }

    /** One run of some work. */
    static final class Run {
        private final boolean readsLatest;
        private final List<DueRow> waiting = new ArrayList<>();
        private final List<Runnable> afterCommit = new ArrayList<>();

        private Run(boolean readsLatest) {
            this.readsLatest = readsLatest;
        }

        /** Whether a plain read shows what is committed now, not what was so when the transaction began. */
        boolean readsLatest() {
            return readsLatest;
        }

        /** Rows that wait once the transaction has committed. */
        void leavesWaiting(List<DueRow> rows) {
            waiting.addAll(rows);
        }

        /** Something to be called once the transaction has committed. */
        void afterCommit(Runnable action) {
            afterCommit.add(action);
        }
    }

    private final DataSource dataSource;
    private final PlatformTransactionManager manager;
    private final PlatformTransactionManager ownManager;
    private final SilenceLimit silence;
    private final boolean readCommitted;
    private final boolean requireTransaction;
    private final CommitWatch commits;
    private final AtomicBoolean warned = new AtomicBoolean();
    /** Whether the pool hands out connections that wait for a commit, as far as seen. */
    private volatile boolean waitsForCommits;

    private final TransactionTemplate joining;
    private final TransactionTemplate none;
    private final DefaultTransactionDefinition fresh =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    private final TransactionDefinition probe =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_SUPPORTS);

    /**
     * @param silence of connections in transactions of the store's own
     * @param readCommitted whether connections are READ COMMITTED by themselves: asking for it costs a round trip each
     *     time
     * @param requireTransaction whether new jobs are refused where there is no transaction to join
     */
    Transactions(
            DataSource dataSource,
            PlatformTransactionManager manager,
            SilenceLimit silence,
            boolean readCommitted,
            boolean requireTransaction) {
        this.dataSource = dataSource;
        this.manager = manager;
        this.silence = silence;
        this.readCommitted = readCommitted;
        this.requireTransaction = requireTransaction;
        this.commits = CommitWatch.of(manager, dataSource);
        this.ownManager = QuietTransactionManager.besides(manager, dataSource);
        this.joining = template(TransactionDefinition.PROPAGATION_REQUIRED);
        this.none = template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        if (!readCommitted) {
            fresh.setIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    private TransactionTemplate template(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    /**
     * Writes new jobs: as {@link #callers}, but refuses where a transaction is required and there is none, and looks
     * for what it has written when a commit of its own was not heard back from. It is not written again: what is not
     * found may still be on its way, or may have run and gone.
     *
     * @param atOnce what is tried first where there is no transaction to join: it saves the round trip of a commit
     * @param proof whether what is in the tables proves that the work with this result was committed
     */
    <T> T submitting(String doing, DueSink sink, @Nullable AtOnce<?, T> atOnce, Work<T> work, Predicate<T> proof) {
        if (isInTransaction()) {
            return joined(doing, sink, work);
        }
        if (requireTransaction) {
            String message =
                    "No transaction to join while %s: delayjob.jdbc.require-transaction asks for one on the job "
                            + "tables' own DataSource; call it within @Transactional or a TransactionTemplate of its manager.";
            throw StoreException.refused(
                    message.formatted(doing), new IllegalTransactionStateException("no active transaction to join"));
        }
        if (isInAnyTransaction() && !warned.getAndSet(true)) {
            log.warn(
                    "A job was scheduled within a transaction that is not on the job tables' own DataSource: it is written at once, whatever becomes of that transaction. If it is to be written with that, keep the job tables in the same database, or mark the DataSource with @DelayJobDataSource; delayjob.jdbc.require-transaction=true refuses such calls. This is said once.");
        }
        return own(doing, sink, atOnce, work, proof);
    }

    /** In the caller's transaction, if there is one to join; what is left waiting goes to the sink after the commit. */
    <T> T callers(String doing, DueSink sink, Work<T> work) {
        return isInTransaction() ? joined(doing, sink, work) : own(doing, sink, null, work, result -> false);
    }

    /** In a transaction of its own. */
    <T> T own(String doing, Supplier<T> work) {
        return own(doing, DueSink.NONE, null, run -> work.get(), result -> false);
    }

    private <T> T joined(String doing, DueSink sink, Work<T> work) {
        Run run = new Run(callersReadCommitted());
        try {
            T result = joining.execute(status -> work.in(run));
            HandOver.ofTransaction(this).add(sink, run.waiting, run.afterCommit);
            return result;
        } catch (RuntimeException error) {
            throw StoreErrors.translateInCallers(doing, error);
        }
    }

    private boolean callersReadCommitted() {
        Integer level = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
        return level == null ? readCommitted : level <= Connection.TRANSACTION_READ_COMMITTED;
    }

    /** A claim whose commit was not heard back from must not be repeated here: it would find nothing and say so. */
    private <T> T own(String doing, DueSink sink, @Nullable AtOnce<?, T> atOnce, Work<T> work, Predicate<T> proof) {
        for (int attempt = 1; ; attempt++) {
            Run run = new Run(true);
            try {
                if (atOnce != null && wroteAtOnce(doing, atOnce, proof)) {
                    HandOver.now(sink, atOnce.waiting);
                    return atOnce.result;
                }
                T result = besidesCallers(() -> commit(doing, execute(run, work), proof));
                HandOver.now(sink, List.copyOf(run.waiting));
                run.afterCommit.forEach(Runnable::run);
                return result;
            } catch (RuntimeException error) {
                if (attempt == MAX_ATTEMPTS || !StoreErrors.isConflict(error)) {
                    throw StoreErrors.translate(doing, error);
                }
                log.debug("Once more, for the {}. time, {}: {}", attempt + 1, doing, error.getMessage());
            }
        }
    }

    /**
     * An application's work, which may throw whatever it likes, in a transaction of its own with the database's
     * isolation. What goes wrong there is not the store's, and comes out as it is.
     *
     * @param timeout of the transaction; {@code null}: the manager's
     * @param stands whether a result is to be committed, else it is rolled back
     * @throws StoreException when there could be no transaction
     */
    <T> T applications(String doing, @Nullable Duration timeout, ApplicationsWork<T> work, Predicate<T> stands)
            throws Exception {
        TransactionStatus transaction = begin(doing, timeout);
        T result;
        try {
            result = work.in(transaction);
        } catch (Exception | Error error) {
            rollBack(manager, transaction, error);
            throw error;
        }
        if (stands.test(result)) {
            manager.commit(transaction);
        } else {
            manager.rollback(transaction);
        }
        return result;
    }

    private TransactionStatus begin(String doing, @Nullable Duration timeout) {
        DefaultTransactionDefinition definition =
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        if (timeout != null) {
            long seconds = timeout.plusSeconds(1).minusNanos(1).toSeconds();
            definition.setTimeout((int) Math.min(seconds, LONGEST_TIMEOUT.toSeconds()));
        }
        try {
            return manager.getTransaction(definition);
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    /**
     * Looks at a transaction of the manager. What is written through another connection than the manager's is committed
     * by itself, whatever becomes of the transaction.
     *
     * @throws IllegalArgumentException when its transactions are not on the job tables' DataSource
     */
    void checkManager() {
        if (!(manager instanceof ResourceTransactionManager)) {
            // A global one: it enlists what is used.
            return;
        }
        TransactionStatus transaction = begin("looking at a transaction of its manager", null);
        boolean ours = TransactionSynchronizationManager.hasResource(dataSource);
        manager.rollback(transaction);
        if (!ours) {
            throw new IllegalArgumentException(
                    "Invalid transaction manager %s: its transactions have no connection of the job tables' DataSource %s, so nothing could be committed or rolled back with them; mark the manager of that DataSource with @DelayJobTransactionManager, or tell this one its DataSource."
                            .formatted(manager, dataSource));
        }
    }

    private <T> boolean wroteAtOnce(String doing, AtOnce<?, T> atOnce, Predicate<T> proof) {
        // Somebody else's scope would keep our connection until it ends.
        if (waitsForCommits || TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        GroupCommit.Outcome outcome = atOnce.write(this::whereStatementsCommit);
        RuntimeException error = outcome.error();
        if (error == null) {
            return outcome.run();
        }
        if (!StoreErrors.isPassing(error) || StoreErrors.isAnswer(error)) {
            throw error;
        }
        prove(doing, error, atOnce.result, proof);
        return true;
    }

    private void whereStatementsCommit(Runnable statement) {
        none.executeWithoutResult(status -> {
            limitSilence();
            // Without synchronisation the statement would have to ask the pool again.
            if (TransactionSynchronizationManager.isSynchronizationActive() && commitsEachStatement()) {
                statement.run();
            }
        });
    }

    private boolean commitsEachStatement() {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            waitsForCommits = !connection.getAutoCommit();
            return !waitsForCommits;
        } catch (SQLException broken) {
            return false;
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /**
     * The manager that opened the caller's transaction suspends it. Ours would not recognise every such transaction,
     * and would write on its connection.
     */
    private <T> T besidesCallers(Supplier<T> work) {
        boolean nothingOpen = !TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionSynchronizationManager.hasResource(dataSource);
        return nothingOpen || ownManager == manager ? work.get() : none.execute(status -> work.get());
    }

    /** Work that is done and not committed. */
    private record Done<T>(TransactionStatus transaction, T result) {}

    private <T> Done<T> execute(Run run, Work<T> work) {
        TransactionStatus transaction = ownManager.getTransaction(fresh);
        try {
            limitSilence();
            return new Done<>(transaction, work.in(run));
        } catch (RuntimeException | Error error) {
            rollBack(ownManager, transaction, error);
            throw error;
        }
    }

    private static void rollBack(PlatformTransactionManager manager, TransactionStatus transaction, Throwable reason) {
        try {
            manager.rollback(transaction);
        } catch (RuntimeException | Error broken) {
            // Over a broken line the server rolls back by itself; what broke it is what there is to be told.
            reason.addSuppressed(broken);
        }
    }

    private <T> T commit(String doing, Done<T> done, Predicate<T> proof) {
        try {
            ownManager.commit(done.transaction);
        } catch (RuntimeException thrown) {
            RuntimeException error = thrown instanceof CommitFailedException failed ? failed.failure() : thrown;
            if (!StoreErrors.isPassing(error) || StoreErrors.isConflict(error)) {
                throw error;
            }
            prove(doing, error, done.result, proof);
        }
        return done.result;
    }

    private <T> void prove(String doing, RuntimeException unheard, T result, Predicate<T> proof) {
        if (!isProven(doing, result, proof)) {
            throw StoreErrors.unknown(doing, unheard);
        }
        log.debug("The commit was not heard back from, and is found done, {}: {}", doing, unheard.getMessage());
    }

    private <T> boolean isProven(String doing, T result, Predicate<T> proof) {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            try {
                return outside(doing, () -> proof.test(result));
            } catch (StoreException away) {
                log.debug("Looking for the {}. time for what was done {}: {}", attempt, doing, away.getMessage());
            }
        }
        return false;
    }

    /** From now on the connection of the transaction under way may keep silent for no longer than a statement takes. */
    void limitSilence() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            // The connection could not be told from that of the next statement, nor the end of its use be seen.
            return;
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            silence.untilTransactionEnds(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** Reads for the engine: one statement, in no transaction, not even the caller's. */
    <T> T outside(String doing, Supplier<T> read) {
        try {
            return none.execute(status -> {
                limitSilence();
                return read.get();
            });
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    /** Reads for the application: what its transaction sees, if there is one. */
    <T> T reading(String doing, Supplier<T> read) {
        try {
            return read.get();
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    /**
     * The same. Without a transaction to join, it reads in a short one of its own, because a dialect may put settings
     * ahead of the statements.
     *
     * @param alone the read without a transaction to join
     */
    <T> T reading(String doing, Supplier<T> joined, Supplier<T> alone) {
        return isInTransaction() ? reading(doing, joined) : own(doing, alone);
    }

    /** Whether there is one on whatever DataSource, still open as far as we know. */
    private boolean isInAnyTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive()
                && !commits.isCommitting();
    }

    /** Whether there is a transaction on our DataSource, still open, whose commit can be observed. */
    private boolean isInTransaction() {
        if (!isInAnyTransaction()) {
            return false;
        }
        // The one that is active may be on another DataSource: only our own manager knows.
        TransactionStatus status = manager.getTransaction(probe);
        try {
            return status.hasTransaction();
        } finally {
            manager.commit(status);
        }
    }
}
