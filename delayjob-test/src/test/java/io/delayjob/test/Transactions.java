package io.delayjob.test;

import io.delayjob.job.DueSink;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import io.delayjob.store.JobStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Transactions of one application: what is scheduled within one is written, and handed over, when it commits. */
final class Transactions extends ForwardingStore {

    private @Nullable Transaction open;

    Transactions(JobStore target) {
        super(target);
    }

    /** Has calls to schedule jobs without a key be part of one transaction. */
    Transaction begin(Runnable calls) {
        Transaction transaction = new Transaction();
        open = transaction;
        try {
            calls.run();
        } finally {
            open = null;
        }
        return transaction;
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return open == null ? target.submit(jobs, committed) : open.submit(jobs, committed);
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
