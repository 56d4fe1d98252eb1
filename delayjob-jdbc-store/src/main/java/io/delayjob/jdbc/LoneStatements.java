package io.delayjob.jdbc;

import io.delayjob.job.DueRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs each statement outside any transaction, which saves the round trip of a commit. Thread-safe. */
final class LoneStatements {

    /**
     * @param result the result of the call, if the row is written
     * @param waiting the new waiting jobs, if the row is written
     */
    record AtOnce<R, T>(R row, GroupCommit<R> group, T result, List<DueRow> waiting) {

        private GroupCommit.Outcome write(Consumer<Runnable> connected) {
            GroupCommit.Outcome outcome = group.write(row, connected);
            // If the database refuses a statement because of one row, no row of the group is written.
            return outcome.shared() && outcome.error() != null && !StoreErrors.isPassing(outcome.error())
                    ? group.writeAlone(row, connected)
                    : outcome;
        }
    }

    private final DataSource dataSource;
    private final OwnTransactions transactions;
    /** If auto-commit is off, a statement needs a commit, so it runs in a transaction. */
    private volatile boolean waitsForCommits;

    LoneStatements(DataSource dataSource, OwnTransactions transactions) {
        this.dataSource = dataSource;
        this.transactions = transactions;
    }

    /**
     * @param proof tells from the tables whether the row is written; called only after a lost answer
     * @return whether the row is written; if not, the database is unchanged
     */
    <T> boolean wrote(String doing, AtOnce<?, T> atOnce, Predicate<T> proof) {
        // A connection taken here would stay open until the caller's synchronization ends.
        if (waitsForCommits || TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        GroupCommit.Outcome outcome = atOnce.write(this::onConnectionThatCommits);
        RuntimeException error = outcome.error();
        if (error == null) {
            return outcome.run();
        }
        if (!StoreErrors.isPassing(error) || StoreErrors.isAnswer(error)) {
            throw error;
        }
        transactions.prove(doing, error, atOnce.result, proof);
        return true;
    }

    private void onConnectionThatCommits(Runnable statement) {
        transactions.outside(() -> {
            // Without synchronization, the statement would run on another connection than the checked one.
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
}
