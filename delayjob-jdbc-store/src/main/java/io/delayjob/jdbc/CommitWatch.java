package io.delayjob.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells whether the transaction on this thread is being committed. During {@code afterCommit}, the transaction still
 * looks open, but new statements no longer belong to it. Thread-safe, because the state is kept per thread.
 */
final class CommitWatch implements TransactionExecutionListener {

    /**
     * @param outer another commit, which was calling {@code afterCommit} when this commit began; {@code null} if there
     *     is none
     */
    private record Commit(
            TransactionExecution transaction,
            @Nullable Object connection,
            @Nullable Commit outer) {}

    private final DataSource dataSource;

    private CommitWatch(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** All stores on a DataSource share one instance, so a reopened store adds no second listener. */
    static CommitWatch of(PlatformTransactionManager manager, DataSource dataSource) {
        if (!(manager instanceof ConfigurableTransactionManager configurable)) {
            return new CommitWatch(dataSource);
        }
        synchronized (manager) {
            Collection<TransactionExecutionListener> present = configurable.getTransactionExecutionListeners();
            for (TransactionExecutionListener listener : present) {
                if (listener instanceof CommitWatch watch && watch.dataSource == dataSource) {
                    return watch;
                }
            }
            CommitWatch watch = new CommitWatch(dataSource);
            // Copies the collection, because open transactions may be iterating over it.
            List<TransactionExecutionListener> listeners = new ArrayList<>(present);
            listeners.add(watch);
            configurable.setTransactionExecutionListeners(listeners);
            return watch;
        }
    }

    boolean isCommitting() {
        Commit commit = innermost();
        return commit != null && commit.connection != null && commit.connection == connectionAtHand();
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (transaction.isNewTransaction()) {
            replace(new Commit(transaction, connectionAtHand(), innermost()));
        }
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        end(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        end(transaction);
    }

    private void end(TransactionExecution transaction) {
        Commit commit = innermost();
        if (commit != null && commit.transaction == transaction) {
            replace(commit.outer);
        }
    }

    private @Nullable Commit innermost() {
        return (Commit) TransactionSynchronizationManager.getResource(this);
    }

    private void replace(@Nullable Commit commit) {
        TransactionSynchronizationManager.unbindResourceIfPossible(this);
        if (commit != null) {
            TransactionSynchronizationManager.bindResource(this, commit);
        }
    }

    private @Nullable Object connectionAtHand() {
        return TransactionSynchronizationManager.getResource(dataSource);
    }
}
