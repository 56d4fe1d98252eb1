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
 * Gathers the rows that one transaction of the caller leaves waiting, and hands them over once it has committed. Rows
 * gathered since a savepoint that is rolled back are dropped. Belongs to the thread of its transaction; Spring puts it
 * aside and brings it back together with that transaction.
 */
final class HandOver implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(HandOver.class);

    /** What a transaction writes beyond this is left to the sweep, lest a bulk load be held in memory a second time. */
    private static final int MAX_ROWS = 10_000;

    private record Entry(DueSink sink, DueRow row) {}

    private final Transactions store;
    private final List<Entry> gathered = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    /** How many rows there were at each savepoint. Weak, for nobody says when a savepoint is released. */
    private final Map<Object, Integer> rowsAtSavepoint = new WeakHashMap<>();

    private HandOver(Transactions store) {
        this.store = store;
    }

    /** That of this store and of the transaction under way, which has one from now on. */
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

    /** Hands over at once. A sink must not throw; should it do so, the caller's work is done nevertheless. */
    static void now(DueSink sink, List<DueRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        try {
            sink.accept(rows);
        } catch (RuntimeException | Error brokenSink) {
            log.warn(
                    "{} committed jobs could not be handed to the wheel: the sweep will find them.",
                    rows.size(),
                    brokenSink);
        }
    }

    /** @param actions to be called in any case, even where a savepoint is rolled back */
    void add(DueSink sink, List<DueRow> rows, List<Runnable> actions) {
        afterCommit.addAll(actions);
        rows.stream().limit(MAX_ROWS - gathered.size()).forEach(row -> gathered.add(new Entry(sink, row)));
    }

    /** First of all, so that what others do after the commit neither delays a job nor keeps it away by failing. */
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
        // A savepoint that is not known was set before the first row of this transaction.
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
