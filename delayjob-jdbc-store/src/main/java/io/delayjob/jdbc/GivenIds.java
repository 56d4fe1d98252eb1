package io.delayjob.jdbc;

import io.delayjob.job.JobId;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the job that already has the given id of a new job. Above READ COMMITTED, the caller's transaction may not show
 * this job, so another connection reads it. A locking read is no alternative: in InnoDB, it would block writers if the
 * id does not exist. Thread-safe.
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
     * Reads only the history. An unfinished row may be locked by this transaction, and a second connection might wait
     * for it.
     */
    Optional<JobLocator.Located> findEnded(JobId id) {
        return transactions.readsLatest() ? locator.findEnded(id) : outside(() -> locator.findEnded(id));
    }

    private Optional<JobLocator.Located> outside(Supplier<Optional<JobLocator.Located>> read) {
        return transactions.outside("looking for a job by its id on a second connection", read);
    }
}
