package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.connection.QuietTransactionManager;
import io.delayjob.internal.jdbc.connection.QuietTransactionManager.CommitFailedException;
import io.delayjob.internal.jdbc.connection.SilenceLimit;
import io.delayjob.store.StoreException;
import java.sql.Connection;
import java.util.function.Consumer;
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

/** Runs the store's own short READ COMMITTED transactions, separate from the caller's. Thread-safe. */
final class OwnTransactions {

    private static final int MAX_LOOKS = 3;

    private static final Logger log = LoggerFactory.getLogger(OwnTransactions.class);

    private final DataSource dataSource;
    private final PlatformTransactionManager callersManager;
    private final PlatformTransactionManager manager;
    private final SilenceLimit silence;
    private final TransactionTemplate none;
    private final DefaultTransactionDefinition fresh =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

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
     * @param proof reads from the tables whether the work was committed. It is called only if the answer to the commit
     *     was lost
     */
    <T> T run(String doing, Supplier<T> work, Predicate<T> proof) {
        return besidesCallers(() -> commit(doing, execute(work), proof));
    }

    /**
     * The caller's transaction manager must suspend the caller's transaction, because the store's manager may not
     * recognise this transaction.
     */
    private <T> T besidesCallers(Supplier<T> work) {
        boolean nothingOpen = !TransactionSynchronizationManager.isSynchronizationActive() && !hasCallerConnection();
        return nothingOpen || manager == callersManager ? work.get() : none.execute(status -> work.get());
    }

    /** Whether Spring has bound a connection to this thread, for example during {@code afterCommit}. */
    boolean hasCallerConnection() {
        return TransactionSynchronizationManager.hasResource(dataSource);
    }

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

    static void rollBack(PlatformTransactionManager manager, TransactionStatus transaction, Throwable reason) {
        try {
            manager.rollback(transaction);
        } catch (RuntimeException | Error broken) {
            // The server rolls back by itself, and the first error says why.
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

    /** @throws StoreException if the tables do not show that the work was committed */
    <T> void prove(String doing, RuntimeException unheard, T result, Predicate<T> proof) {
        if (!isProven(doing, result, proof)) {
            throw StoreErrors.unknown(doing, unheard);
        }
        log.debug(
                "The database did not answer a commit while delayjob was {}, but the tables show that the "
                        + "commit succeeded. The error: {}",
                doing,
                unheard.getMessage());
    }

    private <T> boolean isProven(String doing, T result, Predicate<T> proof) {
        for (int look = 1; look <= MAX_LOOKS; look++) {
            try {
                return outside(doing, () -> proof.test(result));
            } catch (StoreException away) {
                log.debug(
                        "The database did not answer a commit while delayjob was {}. delayjob tried to find out from "
                                + "the tables whether the commit succeeded, but could not read them. This was attempt {}. "
                                + "The error: {}",
                        doing,
                        look,
                        away.getMessage());
            }
        }
        return false;
    }

    void limitSilence() {
        limitSilence(connection -> silence.untilTransactionEnds(connection, manager));
    }

    private void limitSilence(Consumer<Connection> limit) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            // Each statement may use another connection, and nobody reports when it is given back.
            return;
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            limit.accept(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    <T> T outside(String doing, Supplier<T> work) {
        try {
            return none.execute(status -> {
                limitSilence(silence::untilGivenBack);
                return work.get();
            });
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    /** All statements of the work use the same connection. */
    void outside(Runnable work) {
        none.executeWithoutResult(status -> {
            limitSilence(silence::untilGivenBack);
            work.run();
        });
    }
}
