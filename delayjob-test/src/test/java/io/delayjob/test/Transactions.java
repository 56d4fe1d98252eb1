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
 * Transactions of one application: what is scheduled within one is written, and handed over, when it commits. Each belongs to
 * the thread that began it, for a call within one may wait for the store, and others of the application go on meanwhile.
 */
final class Transactions extends ForwardingStore {

    private final ThreadLocal<@Nullable Transaction> open = new ThreadLocal<>();

    Transactions(JobStore target) {
        super(target);
    }

    /** Has calls to schedule jobs without a key be part of one transaction. */
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
