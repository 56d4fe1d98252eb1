package io.delayjob.redis;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobId;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobRules;
import io.delayjob.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Releases, completes and rescues jobs. Thread-safe. */
final class RedisTransitions {

    private final JudgedChanges changes;
    private final RowWriter writer;

    RedisTransitions(JudgedChanges changes, RowWriter writer) {
        this.changes = changes;
        this.writer = writer;
    }

    void release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        changes.change("releasing jobs", idsOf(rows), JudgedChanges.Judge.<Boolean>each(found -> {
            Job job = found.job();
            return job != null
                            && !job.state().isEnded()
                            && (job.token() == rows.get(found.index()).token() || job.token() == claimToken)
                    ? changed(RowChange.of(job, JobRules.released(job, freshToken, now)))
                    : unchanged();
        }));
    }

    /** The result does not contain jobs that have ended because their cancellation was requested. */
    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return changes
                .change("rescuing jobs", idsOf(lost), JudgedChanges.Judge.<Boolean>each(found -> {
                    Job job = found.job();
                    return job != null
                                    && !job.state().isEnded()
                                    && job.token() == lost.get(found.index()).token()
                            ? changed(RowChange.of(job, JobRules.rescued(job, freshToken, now)))
                            : unchanged();
                }))
                .stream()
                .map(JudgedChanges.Verdict::change)
                .filter(Objects::nonNull)
                .map(change -> Objects.requireNonNull(change.after()))
                .filter(job -> !job.state().isEnded())
                .map(Job::toDueRow)
                .toList();
    }

    void settleDoubt(Collection<JobId> ids) {
        changes.change("lowering doubt", List.copyOf(ids), JudgedChanges.Judge.<Boolean>each(found -> {
            Job job = found.job();
            return job != null && job.inDoubt() > 0 ? changed(RowChange.of(job, JobRules.settled(job))) : unchanged();
        }));
    }

    private static JudgedChanges.Verdict<Boolean> changed(RowChange change) {
        return new JudgedChanges.Verdict<>(Boolean.TRUE, change);
    }

    private static JudgedChanges.Verdict<Boolean> unchanged() {
        return new JudgedChanges.Verdict<>(Boolean.FALSE, null);
    }

    private static List<JobId> idsOf(List<DueRow> rows) {
        return rows.stream().map(DueRow::id).toList();
    }

    /** Writes outcomes without reading the rows first, because most rows have not changed since they were claimed. */
    List<CompletionResult> complete(List<Completion> completions) {
        List<@Nullable CompletionResult> results = new ArrayList<>(Collections.nCopies(completions.size(), null));
        // Neighbours in the index of ids are removed together.
        List<Integer> byId = IntStream.range(0, completions.size())
                .boxed()
                .sorted(Comparator.comparing(i -> completions.get(i).job().id()))
                .toList();
        boolean[] written = writer.write(
                "completing jobs",
                byId.stream().map(i -> asClaimed(completions.get(i))).toList());
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < written.length; i++) {
            int index = byId.get(i);
            if (written[i]) {
                Completion completion = completions.get(index);
                results.set(index, JobRules.accepted(completion.job(), completion));
            } else {
                others.add(index);
            }
        }
        List<CompletionResult> judged =
                judged(others.stream().map(completions::get).toList(), written.length);
        for (int i = 0; i < judged.size(); i++) {
            results.set(others.get(i), judged.get(i));
        }
        return results.stream().map(Objects::requireNonNull).toList();
    }

    private List<CompletionResult> judged(List<Completion> completions, int batch) {
        try {
            return changes
                    .change(
                            "completing jobs",
                            completions.stream().map(each -> each.job().id()).toList(),
                            JudgedChanges.Judge.each(found -> verdict(found.job(), completions.get(found.index()))))
                    .stream()
                    .map(JudgedChanges.Verdict::answer)
                    .toList();
        } catch (StoreException failure) {
            // A permanent exception would say that no outcome of the batch was written.
            throw failure.isTransient() || completions.size() == batch
                    ? failure
                    : StoreException.unavailable("Only a part of the batch was written.", failure);
        }
    }

    private static JudgedChanges.Verdict<CompletionResult> verdict(@Nullable Job job, Completion completion) {
        if (job == null
                || job.state().isEnded()
                || job.token() != completion.job().token()) {
            return new JudgedChanges.Verdict<>(JobRules.notAccepted(job, completion), null);
        }
        return ended(JobRules.accepted(job, completion), job, completion);
    }

    private static RowWriter.Unit asClaimed(Completion completion) {
        Job claimed = completion.job().with(JobEnd.NONE);
        return RowWriter.Unit.of(change(claimed, completion), follower(claimed, completion));
    }

    /** If a job follows in the chain, its row is written together with the outcome. */
    static <A> JudgedChanges.Verdict<A> ended(A answer, Job job, Completion completion) {
        return new JudgedChanges.Verdict<>(answer, change(job, completion), follower(job, completion));
    }

    private static @Nullable RowChange follower(Job job, Completion completion) {
        Job follower = JobRules.follower(job, completion);
        return follower == null ? null : RowChange.following(follower);
    }

    private static RowChange change(Job job, Completion completion) {
        Job after = JobRules.completed(job, completion);
        boolean isLeft = !after.state().isEnded() || JobRules.isKept(after, completion);
        return new RowChange(job, isLeft ? after : null, completion.log(), GroupCount.of(job, after));
    }
}
