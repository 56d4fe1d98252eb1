package io.delayjob.internal.engine;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobPlacement;
import io.delayjob.store.JobTransitions;
import io.delayjob.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Calls the store once for each {@linkplain JobPlacement#groupOf group} of a batch. If the call for one group fails,
 * the changes of the earlier groups remain. Thread-safe.
 */
final class GroupedTransitions implements JobTransitions {

    private final JobTransitions store;
    private final JobPlacement placement;

    GroupedTransitions(JobTransitions store, JobPlacement placement) {
        this.store = store;
        this.placement = placement;
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return each(rows, DueRow::partition, group -> store.claim(group, owner, freshToken, now));
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        return each(rows, DueRow::partition, group -> store.release(group, claimToken, freshToken, now));
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        if (isOfOneGroup(completions, GroupedTransitions::partition)) {
            return store.complete(completions);
        }
        // Compares by identity, because a batch may contain two attempts of one job.
        Map<Completion, CompletionResult> results = new IdentityHashMap<>();
        each(completions, GroupedTransitions::partition, group -> {
            List<CompletionResult> answers = complete(group, results.isEmpty());
            for (int i = 0; i < group.size(); i++) {
                results.put(group.get(i), answers.get(i));
            }
            return answers;
        });
        return completions.stream().map(results::get).toList();
    }

    private List<CompletionResult> complete(List<Completion> group, boolean isFirst) {
        try {
            return store.complete(group);
        } catch (StoreException failure) {
            // Earlier groups are written already. A permanent exception would say that no outcome was written.
            throw isFirst || failure.isTransient()
                    ? failure
                    : StoreException.unavailable("Only a part of the batch was written.", failure);
        }
    }

    private static Partition partition(Completion completion) {
        return completion.job().partition();
    }

    @Override
    public List<JobId> settleDoubt(Collection<JobId> ids) {
        return store.settleDoubt(ids);
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return each(lost, DueRow::partition, group -> store.rescue(group, now, freshToken));
    }

    private <T, R> List<R> each(List<T> rows, Function<T, Partition> partition, Function<List<T>, List<R>> call) {
        if (isOfOneGroup(rows, partition)) {
            return call.apply(rows);
        }
        Map<Integer, List<T>> groups = new LinkedHashMap<>();
        rows.forEach(row -> groups.computeIfAbsent(groupOf(partition.apply(row)), group -> new ArrayList<>())
                .add(row));
        List<R> answers = new ArrayList<>(rows.size());
        groups.values().forEach(group -> answers.addAll(call.apply(group)));
        return answers;
    }

    private <T> boolean isOfOneGroup(List<T> rows, Function<T, Partition> partition) {
        if (rows.isEmpty()) {
            return true;
        }
        int group = groupOf(partition.apply(rows.get(0)));
        for (int i = 1; i < rows.size(); i++) {
            if (groupOf(partition.apply(rows.get(i))) != group) {
                return false;
            }
        }
        return true;
    }

    private int groupOf(Partition partition) {
        return placement.groupOf(partition);
    }
}
