package io.delayjob.internal.jdbc.connection;

import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Manages the engine's own transactions, which no application joins.
 *
 * <p>If a connection is broken, the commit fails, and then the rollback fails, too. Spring's managers log both
 * failures, and throw the exception of the rollback. This manager throws the exception of the commit, and logs nothing.
 * The server rolls the transaction back by itself.
 */
public final class QuietTransactionManager extends JdbcTransactionManager {

    private static final long serialVersionUID = 1;

    private static final Logger log = LoggerFactory.getLogger(QuietTransactionManager.class);

    private QuietTransactionManager(DataSource dataSource, Collection<TransactionExecutionListener> listeners) {
        super(dataSource);
        setTransactionExecutionListeners(listeners);
    }

    /**
     * Returns a quiet manager for this DataSource, with the listeners of the application's manager. A global (JTA)
     * manager is returned unchanged, because only this manager may commit a connection.
     */
    public static PlatformTransactionManager besides(PlatformTransactionManager applications, DataSource dataSource) {
        if (!(applications instanceof ResourceTransactionManager)) {
            return applications;
        }
        return new QuietTransactionManager(
                dataSource,
                applications instanceof ConfigurableTransactionManager configurable
                        ? configurable.getTransactionExecutionListeners()
                        : List.of());
    }

    /**
     * A manager for JDBC does not recognise a transaction of JPA, although its connection is bound to this thread. The
     * superclass would use this connection, and commit the transaction of JPA. As an existing transaction, it is
     * suspended instead. Spring already suspends connections that a synchronization has bound.
     */
    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return super.isExistingTransaction(transaction)
                || TransactionSynchronizationManager.getResource(obtainDataSource())
                                instanceof ResourceHolderSupport bound
                        && !bound.isSynchronizedWithTransaction();
    }

    /**
     * If the commit fails, this method rolls back the transaction. This method throws a {@link TransactionException},
     * so that the superclass does not roll back a second time.
     */
    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        try {
            super.doCommit(status);
        } catch (RuntimeException failure) {
            doRollback(status);
            throw new CommitFailedException(failure);
        }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        try {
            super.doRollback(status);
        } catch (RuntimeException broken) {
            log.debug(
                    "delayjob could not roll back a transaction, because the database connection is broken. The "
                            + "database server rolls the transaction back.",
                    broken);
        }
    }

    /** Thrown if the server refused a commit, or did not answer a commit. */
    public static final class CommitFailedException extends TransactionException {

        private static final long serialVersionUID = 1;

        private final RuntimeException failure;

        private CommitFailedException(RuntimeException failure) {
            super("The commit failed", failure);
            this.failure = failure;
        }

        /** Returns the database's exception, translated by Spring. */
        public RuntimeException failure() {
            return failure;
        }
    }
}
