package io.delayjob.jdbc;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows whether the transaction that this thread seems to be in is being committed already. Spring calls {@code
 * afterCommit} with everything still in place as if the transaction were open, but what is written then belongs to
 * none. Thread-safe: it keeps its knowledge per thread.
 */
final class CommitWatch implements TransactionExecutionListener {

    /**
     * Commits under way on this thread, the innermost first: {@code afterCommit} may begin a transaction, and commit
     * it.
     */
    private record Commit(
            TransactionExecution transaction,
            @Nullable Object connection,
            @Nullable Commit outer) {}

    private final DataSource dataSource;

    CommitWatch(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Whether the connection at hand belongs to a transaction whose commit has begun. */
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
