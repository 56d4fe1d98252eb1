package io.delayjob.jdbc;

import io.delayjob.job.DueRow;
import io.delayjob.store.DueSink;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Passes the rows of waiting jobs from a caller's transaction to the timing wheel after the commit. A rollback to a
 * savepoint drops the rows that were collected after this savepoint. The object belongs to the thread of its
 * transaction.
 */
final class HandOver implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(HandOver.class);

    /** Maximum number of rows that are passed on after a commit, to save memory. The sweep finds the remaining rows. */
    private static final int MAX_ROWS = 10_000;

    private record Entry(DueSink sink, DueRow row) {}

    private record Gathered(int rows, int actions) {}

    private static final Gathered NOTHING = new Gathered(0, 0);

    private final Transactions store;
    private final List<Entry> gathered = new ArrayList<>();
    /** What {@link DueSink#asOfNow} returned at the latest change of a row. */
    private final Map<DueSink, DueSink> asOfChange = new IdentityHashMap<>();

    private final List<Runnable> onCommit = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    /** The keys are weak, because Spring does not report when a savepoint is released. */
    private final Map<Object, Gathered> atSavepoint = new WeakHashMap<>();

    private HandOver(Transactions store) {
        this.store = store;
    }

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

    /** An exception of a sink is only logged, because the caller's work is done. */
    static void now(DueSink sink, List<DueRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        try {
            sink.accept(rows);
        } catch (RuntimeException | Error brokenSink) {
            log.warn(
                    "delayjob could not put {} stored jobs on its timing wheel, which starts jobs on time. They may "
                            + "start late, because delayjob finds them only when it reads the job table again.",
                    rows.size(),
                    brokenSink);
        }
    }

    /** These actions run even after a rollback to a savepoint. */
    void addInAnyCase(List<Runnable> actions) {
        afterCommit.addAll(actions);
    }

    void add(DueSink sink, List<DueRow> rows, List<Runnable> actions) {
        onCommit.addAll(actions);
        asOfChange.put(sink, sink.asOfNow());
        rows.stream().limit(MAX_ROWS - gathered.size()).forEach(row -> gathered.add(new Entry(sink, row)));
    }

    /** Runs before all other synchronizations, which could delay or prevent the hand-over. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void savepoint(Object savepoint) {
        atSavepoint.put(savepoint, new Gathered(gathered.size(), onCommit.size()));
    }

    @Override
    public void savepointRollback(Object savepoint) {
        // An unknown savepoint was set before the first row of this transaction.
        Gathered kept = atSavepoint.getOrDefault(savepoint, NOTHING);
        truncate(gathered, kept.rows);
        truncate(onCommit, kept.actions);
    }

    private static void truncate(List<?> list, int size) {
        if (size < list.size()) {
            list.subList(size, list.size()).clear();
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
            now(asOfChange.getOrDefault(sink, sink), List.copyOf(rows));
            from = to;
        }
        onCommit.forEach(Runnable::run);
        afterCommit.forEach(Runnable::run);
    }
}
