package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs the work of an application, such as a handler, in transactions. The application's transaction manager begins
 * these transactions. Therefore {@code @Transactional} methods, {@code JdbcTemplate} and JPA join them. Thread-safe.
 */
final class ApplicationTransactions {

    /** Maximum timeout, because drivers count milliseconds in an {@code int}. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(20);

    @FunctionalInterface
    interface Work<T> {
        T in(TransactionStatus transaction) throws Exception;
    }

    private final DataSource dataSource;
    private final PlatformTransactionManager manager;

    ApplicationTransactions(DataSource dataSource, PlatformTransactionManager manager) {
        this.dataSource = dataSource;
        this.manager = manager;
    }

    /**
     * Exceptions of the work and of the commit are thrown to the caller unchanged.
     *
     * @param timeout the timeout of the transaction; {@code null} for the default of the transaction manager
     * @param stands tests the result of the work. If the test returns {@code true}, the transaction commits. Otherwise,
     *     the transaction rolls back
     * @throws StoreException if no transaction can begin
     */
    <T> T run(String doing, @Nullable Duration timeout, Work<T> work, Predicate<T> stands) throws Exception {
        TransactionStatus transaction = begin(doing, timeout);
        T result;
        try {
            result = work.in(transaction);
        } catch (Exception | Error error) {
            OwnTransactions.rollBack(manager, transaction, error);
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
     * Checks that the transactions use the DataSource of the job tables.
     *
     * @throws IllegalArgumentException if the transactions use another DataSource
     */
    void checkManager() {
        if (!(manager instanceof ResourceTransactionManager)) {
            // The transactions of a global (JTA) manager include every DataSource.
            return;
        }
        TransactionStatus transaction = begin("checking the transaction manager", null);
        boolean ours = TransactionSynchronizationManager.hasResource(dataSource);
        manager.rollback(transaction);
        if (!ours) {
            throw new IllegalArgumentException(
                    "Invalid transaction manager %s: it does not manage the job tables' DataSource %s. Its commits and rollbacks would have no effect on the jobs. Mark the manager of that DataSource with @DelayJobTransactionManager, or set the DataSource of this manager."
                            .formatted(manager, dataSource));
        }
    }
}
