package io.delayjob.jdbc;

import io.delayjob.job.JobId;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the job that already has the given id of a new job. At an isolation level above READ COMMITTED, the caller's
 * transaction possibly does not see this job. So another connection reads the job. A locking read is no alternative: in
 * InnoDB, it would block writers if the id does not exist. Thread-safe.
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
     * Reads only the history. Otherwise, a second connection might wait for an unfinished row that this transaction has
     * locked.
     */
    Optional<JobLocator.Located> findEnded(JobId id) {
        return transactions.readsLatest() ? locator.findEnded(id) : outside(() -> locator.findEnded(id));
    }

    private Optional<JobLocator.Located> outside(Supplier<Optional<JobLocator.Located>> read) {
        return transactions.outside("looking for a job by its id on a second connection", read);
    }
}
