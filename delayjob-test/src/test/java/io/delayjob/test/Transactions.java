package io.delayjob.test;

import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the transactions of one application. Jobs that are scheduled in a transaction are written and passed on
 * when it commits. A transaction belongs to the thread that began it, because a call may wait for the store while other
 * threads of the application continue.
 */
final class Transactions extends ForwardingStore {

    private final ThreadLocal<@Nullable Transaction> open = new ThreadLocal<>();

    Transactions(JobStore target) {
        super(target);
    }

    /** Makes calls that schedule jobs without a key a part of one transaction. */
    Transaction begin(Runnable calls) {
        Transaction transaction = new Transaction();
        open.set(transaction);
        try {
            calls.run();
        } finally {
            open.remove();
        }
        return transaction;
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        Transaction present = open.get();
        return present == null ? target.submit(jobs, committed) : present.submit(jobs, committed);
    }

    final class Transaction {

        private final List<NewJob> written = new ArrayList<>();
        private DueSink sink = DueSink.NONE;

        private List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
            written.addAll(jobs);
            sink = committed;
            return jobs.stream()
                    .map(job -> new Scheduled(job.id(), Scheduled.Outcome.CREATED, JobState.DELAYED))
                    .toList();
        }

        List<Scheduled> commit() {
            return target.submit(written, sink);
        }
    }
}
