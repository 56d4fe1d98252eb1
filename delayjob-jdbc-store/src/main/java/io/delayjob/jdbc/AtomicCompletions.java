package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * Calls each atomic handler in a transaction that {@code @Transactional}, {@code JdbcTemplate} and JPA join. Only the
 * last step of the transaction locks the job's row. So while the handler runs, other instances can cancel or rescue the
 * job. Thread-safe.
 */
final class AtomicCompletions implements HandlerTransactions {

    private final Transactions transactions;
    private final Database database;
    private final JobRows rows;
    private final OneEnd ends;
    private final HandlerConnections connections;
    private final Sql lock;
    private final Dialect.@Nullable Mark mark;

    AtomicCompletions(
            Transactions transactions, Database database, Queues queues, JobRows rows, HandlerConnections connections) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.rows = rows;
        this.ends = OneEnd.inOwn(database, queues);
        this.connections = connections;
        this.mark = dialect.mark();
        // The guard sets time limits until the commit. Without them, a client that stops would leave the job's row
        // locked.
        this.lock = database.keptSql(dialect.guard() + dialect.byHand().lockJob());
    }

    @Override
    public CompletionResult complete(Work work, @Nullable Duration timeout) throws Exception {
        String beginning = "beginning the transaction of an atomic handler";
        connections.take();
        try {
            return transactions
                    .applications()
                    .run(
                            beginning,
                            timeout,
                            transaction -> {
                                mark(beginning);
                                return write(perform(work, transaction).end());
                            },
                            result -> result != CompletionResult.FENCED);
        } finally {
            connections.giveBack();
        }
    }

    private void mark(String doing) {
        try {
            if (mark != null) {
                database.finds(mark.set());
            }
        } catch (RuntimeException error) {
            throw StoreErrors.translate(doing, error);
        }
    }

    private static Decision perform(Work work, TransactionStatus transaction) throws Exception {
        Decision decision = work.perform();
        if (transaction.isRollbackOnly()) {
            throw new UnexpectedRollbackException(
                    "The handler returned, but its transaction was marked rollback-only by the handler "
                            + "or by code that it called. All of its work was rolled back. If a handler fails, let "
                            + "it throw an exception.");
        }
        // Lets JPA flush now. A flush during the commit would run while the job's row is locked.
        transaction.flush();
        return decision;
    }

    private CompletionResult write(Completion end) {
        try {
            transactions.limitSilence();
            if (isStillMarked()) {
                return ends.write(end, lock(end));
            }
        } catch (RuntimeException error) {
            String doing = "completing job %s in the transaction of its handler"
                    .formatted(end.job().id());
            throw StoreErrors.translate(doing, error);
        }
        throw new UnexpectedRollbackException(
                "The handler returned, but the database had already ended the handler's transaction. If the "
                        + "cause was a deadlock or a similar error, all earlier work was undone; do not catch such "
                        + "exceptions. If the cause was a statement such as CREATE or TRUNCATE, the statement "
                        + "committed the earlier work; run it outside of the handler. Later work was rolled back.");
    }

    private boolean isStillMarked() {
        try {
            return mark == null || database.finds(mark.check());
        } catch (DataAccessException error) {
            if (StoreErrors.isUnknownSavepoint(error)) {
                return false;
            }
            throw error;
        }
    }

    private @Nullable Job lock(Completion end) {
        Parameters id = Parameters.none().set("id", end.job().id().value());
        return database.query(lock, id, rows::unfinished).stream().findFirst().orElse(null);
    }
}
