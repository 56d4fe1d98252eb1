package io.delayjob.spring;

import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The calls that wait for the commit of one transaction, in their order. Used by one thread.
 *
 * <p><strong>Before the commit</strong> the store is asked for its time. If it does not answer, the transaction rolls
 * back.
 *
 * <p><strong>After the commit</strong> a failed call cannot undo the transaction. If the store still answers, the calls
 * after the failed call are made. At the end, an exception names the calls that failed or were not made. This exception
 * is not transient, because the committed transaction must not be repeated.
 */
final class WaitingCalls implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(WaitingCalls.class);

    private static final int MOST_NAMED = 20;

    private final JobStore store;
    private final List<WaitingCall> calls = new ArrayList<>();

    private final Map<Object, Integer> savepoints = new IdentityHashMap<>();

    private int made;

    private WaitingCalls(JobStore store) {
        this.store = store;
    }

    static WaitingCalls ofTransaction(JobStore store) {
        for (TransactionSynchronization present : TransactionSynchronizationManager.getSynchronizations()) {
            if (present instanceof WaitingCalls waiting && waiting.store == store) {
                return waiting;
            }
        }
        WaitingCalls waiting = new WaitingCalls(store);
        TransactionSynchronizationManager.registerSynchronization(waiting);
        return waiting;
    }

    void add(WaitingCall call) {
        calls.add(call);
    }

    /** Pairs of a job's name and key. */
    Set<List<String>> keys() {
        return calls.stream()
                .flatMap(call -> call.jobs().stream())
                .filter(job -> job.key() != null)
                .map(job -> List.of(job.name(), Objects.requireNonNull(job.key())))
                .collect(Collectors.toSet());
    }

    /** A waiting call may end a job and so free its key. */
    boolean mayFreeKeys() {
        return calls.stream().anyMatch(call -> call.jobs().isEmpty());
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, calls.size());
    }

    @Override
    public void savepointRollback(Object savepoint) {
        calls.subList(savepoints.getOrDefault(savepoint, 0), calls.size()).clear();
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        if (!calls.isEmpty()) {
            store.clockMicros();
        }
    }

    @Override
    public void afterCommit() {
        makeAll();
    }

    /** Event listeners may have added calls after the commit. */
    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_COMMITTED) {
            makeAll();
        } else if (status == STATUS_UNKNOWN && !calls.isEmpty()) {
            log.warn(
                    "delayjob does not know whether a transaction was committed, so it drops the calls that "
                            + "waited for this commit: {}. If the data of the transaction is stored, repeat these "
                            + "calls.",
                    named(calls));
        }
    }

    private void makeAll() {
        List<WaitingCall> lost = new ArrayList<>();
        RuntimeException reason = null;
        // A listener may add calls while this loop runs.
        while (made < calls.size()) {
            WaitingCall call = calls.get(made++);
            RuntimeException failure = isOutOfReach(reason) ? reason : failureOf(call);
            if (failure != null) {
                lost.add(call);
                reason = reason == null || isOutOfReach(failure) ? failure : reason;
            }
        }
        if (reason != null) {
            throw StoreException.refused(
                    "The transaction is committed, but these calls, which waited for its commit, had no effect, or their effect is unknown: %s. The reason: %s Do not repeat the transaction; repeat these calls."
                            .formatted(named(lost), reason.getMessage()),
                    reason);
        }
    }

    private static boolean isOutOfReach(@Nullable RuntimeException failure) {
        return failure instanceof StoreException said && said.isTransient();
    }

    private static @Nullable RuntimeException failureOf(WaitingCall call) {
        try {
            call.action().run();
            return null;
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    private static String named(List<WaitingCall> calls) {
        Stream<String> more =
                calls.size() > MOST_NAMED ? Stream.of("%d more".formatted(calls.size() - MOST_NAMED)) : Stream.of();
        return Stream.concat(calls.stream().limit(MOST_NAMED).map(WaitingCall::call), more)
                .collect(Collectors.joining("; "));
    }
}
