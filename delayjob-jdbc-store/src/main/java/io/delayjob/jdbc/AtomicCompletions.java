package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.job.Completion;
import io.delayjob.job.Job;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * Calls handlers in a transaction of the application's, the one that {@code @Transactional}, {@code JdbcTemplate} and JPA join,
 * and writes their end in it. The row is locked for that and no sooner: while the handler runs, it can be cancelled and rescued.
 * Thread-safe.
 */
final class AtomicCompletions implements HandlerTransactions {

    private final Transactions transactions;
    private final Database database;
    private final JobRows rows;
    private final Completions completions;
    private final Sql lock;

    AtomicCompletions(Transactions transactions, Database database, JobRows rows, Completions completions) {
        Dialect dialect = database.dialect();
        this.transactions = transactions;
        this.database = database;
        this.rows = rows;
        this.completions = completions;
        // From here to the commit it is as if the transaction were the store's own: whoever falls silent now has locked
        // a row.
        this.lock = database.keptSql(dialect.guard() + dialect.lockJob());
    }

    @Override
    public CompletionResult complete(Work work, @Nullable Duration timeout) throws Exception {
        return transactions.applications(
                "beginning the transaction of an atomic handler",
                timeout,
                transaction -> write(work.perform(), transaction),
                result -> result != CompletionResult.FENCED);
    }

    private CompletionResult write(Completion end, TransactionStatus transaction) {
        if (transaction.isRollbackOnly()) {
            throw new UnexpectedRollbackException(
                    "The handler returned, but its transaction was marked rollback-only, by the handler or by something that threw within it: all is rolled back; let the handler throw if it fails.");
        }
        try {
            transactions.limitSilence();
            return completions.complete(end, lock(end));
        } catch (RuntimeException error) {
            String doing = "completing job %s in the transaction of its handler"
                    .formatted(end.job().id());
            throw StoreErrors.translate(doing, error);
        }
    }

    private @Nullable Job lock(Completion end) {
        Parameters id = Parameters.none().set("id", end.job().id().value());
        return database.query(lock, id, rows::unfinished).stream().findFirst().orElse(null);
    }
}
