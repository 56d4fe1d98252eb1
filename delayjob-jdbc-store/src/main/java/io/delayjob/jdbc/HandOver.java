package io.delayjob.jdbc;

import io.delayjob.job.DueRow;
import io.delayjob.store.DueSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Gathers the rows that a transaction of the caller leaves waiting, and hands them over once it has committed. Rows
 * gathered after a savepoint are dropped if that savepoint is rolled back. Belongs to the thread of its transaction;
 * Spring suspends and resumes it together with that transaction.
 */
final class HandOver implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(HandOver.class);

    /**
     * Maximum number of rows to hand over, so that a bulk load is not held in memory twice. The sweep finds the other
     * rows.
     */
    private static final int MAX_ROWS = 10_000;

    private record Entry(DueSink sink, DueRow row) {}

    private final Transactions store;
    private final List<Entry> gathered = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    /** Number of rows at each savepoint. Weak, because Spring does not report when a savepoint is released. */
    private final Map<Object, Integer> rowsAtSavepoint = new WeakHashMap<>();

    private HandOver(Transactions store) {
        this.store = store;
    }

    /** Returns the hand-over of this store for the transaction under way, and registers it at first use. */
    static HandOver ofTransaction(Transactions store) {
        for (TransactionSynchronization present : TransactionSynchronizationManager.getSynchronizations()) {
            if (present instanceof HandOver handOver && handOver.store == store) {
                return handOver;
            }
        }
        HandOver handOver = new HandOver(store);
        TransactionSynchronizationManager.registerSynchronization(handOver);
        return handOver;
    }

    /**
     * Hands rows over at once. A sink must not throw; if it does, the error is logged, because the caller's work is
     * done.
     */
    static void now(DueSink sink, List<DueRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        try {
            sink.accept(rows);
        } catch (RuntimeException | Error brokenSink) {
            log.warn(
                    "{} committed jobs could not be handed to the wheel; the sweep will find them.",
                    rows.size(),
                    brokenSink);
        }
    }

    /** @param actions run after the commit in any case, even if a savepoint is rolled back */
    void add(DueSink sink, List<DueRow> rows, List<Runnable> actions) {
        afterCommit.addAll(actions);
        rows.stream().limit(MAX_ROWS - gathered.size()).forEach(row -> gathered.add(new Entry(sink, row)));
    }

    /** Runs first, so that other synchronizations can neither delay a job nor, by failing, lose its hand-over. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void savepoint(Object savepoint) {
        rowsAtSavepoint.put(savepoint, gathered.size());
    }

    @Override
    public void savepointRollback(Object savepoint) {
        // An unknown savepoint was set before the first row of this transaction.
        int kept = rowsAtSavepoint.getOrDefault(savepoint, 0);
        if (kept < gathered.size()) {
            gathered.subList(kept, gathered.size()).clear();
        }
    }

    @Override
    public void afterCommit() {
        int from = 0;
        while (from < gathered.size()) {
            DueSink sink = gathered.get(from).sink();
            int to = from;
            List<DueRow> rows = new ArrayList<>();
            while (to < gathered.size() && gathered.get(to).sink() == sink) {
                rows.add(gathered.get(to++).row());
            }
            now(sink, List.copyOf(rows));
            from = to;
        }
        afterCommit.forEach(Runnable::run);
    }
}
