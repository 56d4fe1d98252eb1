package io.delayjob.jdbc;

import io.delayjob.jdbc.connection.QuietTransactionManager;
import io.delayjob.jdbc.connection.QuietTransactionManager.CommitFailedException;
import io.delayjob.jdbc.connection.SilenceLimit;
import io.delayjob.store.StoreException;
import java.sql.Connection;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs the store's own short READ COMMITTED transactions, apart from any transaction of the caller. Their connections
 * may be silent only a little longer than a statement may take. Thread-safe.
 */
final class OwnTransactions {

    /** Maximum number of times that the result of work is read after its commit got no answer. */
    private static final int MAX_LOOKS = 3;

    private static final Logger log = LoggerFactory.getLogger(OwnTransactions.class);

    private final DataSource dataSource;
    private final PlatformTransactionManager callersManager;
    private final PlatformTransactionManager manager;
    private final SilenceLimit silence;
    private final TransactionTemplate none;
    private final DefaultTransactionDefinition fresh =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

    /**
     * @param callersManager manager of the caller's transactions
     * @param silence limit of the connections' silence
     * @param readCommitted whether connections are READ COMMITTED by default
     */
    OwnTransactions(
            DataSource dataSource,
            PlatformTransactionManager callersManager,
            SilenceLimit silence,
            boolean readCommitted) {
        this.dataSource = dataSource;
        this.callersManager = callersManager;
        this.manager = QuietTransactionManager.besides(callersManager, dataSource);
        this.silence = silence;
        this.none = new TransactionTemplate(callersManager);
        none.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        if (!readCommitted) {
            fresh.setIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    /**
     * Does work in a transaction and commits it.
     *
     * @param proof whether the tables prove that the work with this result was committed; called if the commit got no
     * answer
     */
    <T> T run(String doing, Supplier<T> work, Predicate<T> proof) {
        return besidesCallers(() -> commit(doing, execute(work), proof));
    }

    /**
     * The manager that opened the caller's transaction suspends it. Our own manager would not recognise every such
     * transaction, and would write on its connection.
     */
    private <T> T besidesCallers(Supplier<T> work) {
        boolean nothingOpen = !TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionSynchronizationManager.hasResource(dataSource);
        return nothingOpen || manager == callersManager ? work.get() : none.execute(status -> work.get());
    }

    /** Work that is done but not yet committed. */
    private record Done<T>(TransactionStatus transaction, T result) {}

    private <T> Done<T> execute(Supplier<T> work) {
        TransactionStatus transaction = manager.getTransaction(fresh);
        try {
            limitSilence();
            return new Done<>(transaction, work.get());
        } catch (RuntimeException | Error error) {
            rollBack(manager, transaction, error);
            throw error;
        }
    }

    /** Rolls back because of {@code reason}. If the rollback fails as well, its error is added to {@code reason}. */
    static void rollBack(PlatformTransactionManager manager, TransactionStatus transaction, Throwable reason) {
        try {
            manager.rollback(transaction);
        } catch (RuntimeException | Error broken) {
            // Over a broken connection the server rolls back by itself, and the first error says why the connection
            // broke.
            reason.addSuppressed(broken);
        }
    }

    private <T> T commit(String doing, Done<T> done, Predicate<T> proof) {
        try {
            manager.commit(done.transaction);
        } catch (RuntimeException thrown) {
            RuntimeException error = thrown instanceof CommitFailedException failed ? failed.failure() : thrown;
            if (!StoreErrors.isPassing(error) || StoreErrors.isConflict(error)) {
                throw error;
            }
            prove(doing, error, done.result, proof);
        }
        return done.result;
    }

    /**
     * Reads whether some work was committed, after its commit got no answer.
     *
     * @param unheard the error that came instead of the answer
     * @throws StoreException if the work is not found: its outcome is unknown
     */
    <T> void prove(String doing, RuntimeException unheard, T result, Predicate<T> proof) {
        if (!isProven(doing, result, proof)) {
            throw StoreErrors.unknown(doing, unheard);
        }
        log.debug(
                "The database did not answer a commit while {}, but the tables show that the commit succeeded. The "
                        + "reason: {}",
                doing,
                unheard.getMessage());
    }

    private <T> boolean isProven(String doing, T result, Predicate<T> proof) {
        for (int look = 1; look <= MAX_LOOKS; look++) {
            try {
                return outside(doing, () -> proof.test(result));
            } catch (StoreException away) {
                log.debug(
                        "It is unknown whether a commit succeeded while {}. Attempt {} to read this from the tables failed. "
                                + "The reason: {}",
                        doing,
                        look,
                        away.getMessage());
            }
        }
        return false;
    }

    /** Limits the silence of the connection that the transaction under way uses, from now on. */
    void limitSilence() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            // The next statement may get another connection, and nothing would report when this connection is given
            // back.
            return;
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            silence.untilTransactionEnds(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** Does work outside any transaction, including the caller's, and translates its errors. */
    <T> T outside(String doing, Supplier<T> work) {
        try {
            return none.execute(status -> {
                limitSilence();
                return work.get();
            });
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    /** Does work on one connection, outside any transaction, including the caller's. */
    void outside(Runnable work) {
        none.executeWithoutResult(status -> {
            limitSilence();
            work.run();
        });
    }
}
