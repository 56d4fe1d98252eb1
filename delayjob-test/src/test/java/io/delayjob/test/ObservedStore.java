package io.delayjob.test;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.DueSink;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.Vitals;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tells the judge every transition that one instance requests, at the moment at which the store makes it. */
final class ObservedStore extends ForwardingStore {

    private final Node node;
    private final Judge judge;
    private final InstanceStore instances;

    ObservedStore(JobStore target, Node node, Judge judge) {
        super(target);
        this.node = node;
        this.judge = judge;
        this.instances = new ObservedInstances(target.instances());
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        List<@Nullable JobId> before = new ArrayList<>();
        jobs.forEach(job -> before.add(unfinished(job.name(), job.key())));
        List<Scheduled> results = target.submit(jobs, committed);
        for (int i = 0; i < results.size(); i++) {
            judge.submitted(node, jobs.get(i), results.get(i), before.get(i));
        }
        return results;
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        CancelResult result = target.cancel(id, now);
        judge.cancelled(node, id, result);
        return result;
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        JobId id = unfinished(name, key);
        CancelResult result = target.cancel(name, key, now);
        if (id != null) {
            judge.cancelled(node, id, result);
        }
        return result;
    }

    private @Nullable JobId unfinished(String name, @Nullable String key) {
        return key == null
                ? null
                : target.find(JobQuery.all().name(name).key(key), Instant.EPOCH).stream()
                        .filter(job -> !job.state().isEnded())
                        .map(Job::id)
                        .findFirst()
                        .orElse(null);
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        ChangeResult result = target.retry(id, due, freshToken, committed);
        if (result == ChangeResult.CHANGED) {
            judge.broughtBack(node, id);
        }
        return result;
    }

    @Override
    public AnswerResult answer(JobId id, Function<Job, Completion> end, Consumer<Completion> committed) {
        Job[] before = new Job[1];
        Completion[] written = new Completion[1];
        AnswerResult result = target.answer(
                id,
                job -> {
                    before[0] = job;
                    written[0] = end.apply(job);
                    return written[0];
                },
                committed);
        if (result != AnswerResult.NOT_AWAITED && written[0] != null) {
            judge.ends().answered(node, written[0], before[0], result);
            judge.ends().checkChain(id);
        }
        return result;
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        List<Job> claimed = target.claim(rows, owner, freshToken, now);
        claimed.forEach(job -> judge.claimed(node, job));
        return claimed;
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        List<JobId> running = rows.stream()
                .map(DueRow::id)
                .filter(id -> stands(id, JobState.RUNNING))
                .toList();
        List<DueRow> skipped = target.release(rows, claimToken, freshToken, now);
        running.stream().filter(id -> !stands(id, JobState.RUNNING)).forEach(id -> judge.released(node, id));
        return skipped;
    }

    private boolean stands(JobId id, JobState state) {
        return target.find(id).filter(job -> job.state() == state).isPresent();
    }

    @Override
    public List<CompletionResult> complete(List<Completion> completions) {
        List<@Nullable Job> before = new ArrayList<>();
        completions.forEach(
                completion -> before.add(target.find(completion.job().id()).orElse(null)));
        List<CompletionResult> results = target.complete(completions);
        for (int i = 0; i < results.size(); i++) {
            judge.ends().completed(node, completions.get(i), before.get(i), results.get(i));
        }
        completions.forEach(
                completion -> judge.ends().checkChain(completion.job().id()));
        return results;
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        List<JobId> running = lost.stream()
                .map(DueRow::id)
                .filter(id -> stands(id, JobState.RUNNING))
                .toList();
        List<DueRow> rescued = target.rescue(lost, now, freshToken);
        rescued.forEach(row -> judge.rescued(node, row.id()));
        // A rescued job whose cancellation was requested ends, and is not returned.
        running.stream().filter(id -> stands(id, JobState.CANCELLED)).forEach(id -> judge.rescued(node, id));
        return rescued;
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        return judge.keeping().purged(node, () -> target.purgeHistory(state, before, limit));
    }

    @Override
    public int purgeKept(Instant now, int limit) {
        return judge.keeping().purged(node, () -> target.purgeKept(now, limit));
    }

    @Override
    public InstanceStore instances() {
        return instances;
    }

    @Override
    public JobGroups groups() {
        return new ForwardingGroups(target.groups()) {
            @Override
            public @Nullable GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded) {
                GroupState before = target.close(group, whenAllEnded);
                if (before == GroupState.OPEN && whenAllEnded != null) {
                    judge.groups().closed(node, group, whenAllEnded);
                }
                return before;
            }

            @Override
            public boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
                return target.fold(
                        now,
                        freshToken,
                        rows -> {
                            rows.forEach(row -> judge.groups().followed(node, row));
                            committed.accept(rows);
                        },
                        ended);
            }
        };
    }

    private final class ObservedInstances extends ForwardingInstances {

        ObservedInstances(InstanceStore target) {
            super(target);
        }

        @Override
        public long register(String incarnation, Set<String> queues, Set<Set<String>> handlers) {
            long number = target.register(incarnation, queues, handlers);
            judge.instances().registered(node, number);
            return number;
        }

        @Override
        public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
            OptionalLong micros = target.beat(number, stopping, vitals);
            if (micros.isPresent()) {
                judge.instances().beaten(number);
            }
            return micros;
        }

        @Override
        public boolean remove(long number, long beats) {
            boolean removed = target.remove(number, beats);
            if (removed) {
                judge.instances().givenUp(node, number);
            }
            return removed;
        }
    }
}
