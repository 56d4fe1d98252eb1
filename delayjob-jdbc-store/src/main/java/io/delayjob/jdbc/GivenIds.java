package io.delayjob.jdbc;

import io.delayjob.job.JobId;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the job that already has the given id of a new job. At an isolation level above READ COMMITTED, the caller's
 * transaction does not show the jobs that were committed after its first read. So if a read in this transaction finds
 * no job, the class also reads on another connection. A locking read would need no other connection. But if the id does
 * not exist, such a read in InnoDB would keep other transactions from writing jobs. Thread-safe.
 */
final class GivenIds {

    private final Transactions transactions;
    private final JobLocator locator;

    GivenIds(Transactions transactions, JobLocator locator) {
        this.transactions = transactions;
        this.locator = locator;
    }

    Optional<JobLocator.Located> find(JobId id) {
        Optional<JobLocator.Located> seen = locator.find(id);
        return seen.isPresent() || transactions.readsLatest() ? seen : outside(() -> locator.find(id));
    }

    /**
     * Finds the ended job even if another transaction has committed it just now. The current transaction may have
     * written an unfinished job with this id. A connection that locks what it reads would wait for this transaction.
     * Therefore the method does not read such a row.
     */
    Optional<JobLocator.Located> findEnded(JobId id) {
        return transactions.readsLatest() ? locator.findEnded(id) : outside(() -> locator.findEnded(id));
    }

    private Optional<JobLocator.Located> outside(Supplier<Optional<JobLocator.Located>> read) {
        return transactions.outside("looking for a job by its id on a second connection", read);
    }
}
