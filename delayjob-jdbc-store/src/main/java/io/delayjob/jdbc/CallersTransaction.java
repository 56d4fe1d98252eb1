package io.delayjob.jdbc;

import java.sql.Connection;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The caller's transaction on this thread, if there is one. Thread-safe. */
final class CallersTransaction {

    private final PlatformTransactionManager manager;
    private final boolean readCommitted;
    private final CommitWatch commits;
    private final TransactionTemplate joining;
    private final DefaultTransactionDefinition probe =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_SUPPORTS);

    CallersTransaction(DataSource dataSource, PlatformTransactionManager manager, boolean readCommitted) {
        this.manager = manager;
        this.readCommitted = readCommitted;
        this.commits = CommitWatch.of(manager, dataSource);
        this.joining = new TransactionTemplate(manager);
        // Some managers refuse to join a read-only transaction with any other definition.
        probe.setReadOnly(true);
    }

    /** A transaction that is being committed does not count. */
    boolean isOnAnyDataSource() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive()
                && !commits.isCommitting();
    }

    boolean canBeJoined() {
        if (!isOnAnyDataSource()) {
            return false;
        }
        // Only the store's own transaction manager knows whether the transaction is on this DataSource.
        TransactionStatus status = manager.getTransaction(probe);
        try {
            return status.hasTransaction();
        } finally {
            manager.commit(status);
        }
    }

    boolean readsLatest() {
        Integer level = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
        return level == null ? readCommitted : level <= Connection.TRANSACTION_READ_COMMITTED;
    }

    <T extends @Nullable Object> T join(Supplier<T> work) {
        return joining.execute(status -> work.get());
    }
}
