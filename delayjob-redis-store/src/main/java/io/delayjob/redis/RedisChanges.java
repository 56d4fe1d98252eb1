package io.delayjob.redis;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Changes existing jobs on request. Thread-safe. */
final class RedisChanges {

    private final Keyspace keys;
    private final RowReader reader;
    private final JudgedChanges changes;
    private final RedisInstances instances;
    private final Writes writes;
    private final GroupGate groups;

    RedisChanges(
            Keyspace keys,
            RowReader reader,
            JudgedChanges changes,
            RedisInstances instances,
            Writes writes,
            GroupGate groups) {
        this.keys = keys;
        this.reader = reader;
        this.changes = changes;
        this.instances = instances;
        this.writes = writes;
        this.groups = groups;
    }

    List<CancelResult> cancel(List<JobId> ids, Instant now) {
        List<JudgedChanges.Verdict<CancelResult>> verdicts =
                changes.change("cancelling jobs", ids, JudgedChanges.Judge.each(found -> cancelled(found.job(), now)));
        notify(verdicts);
        return verdicts.stream().map(JudgedChanges.Verdict::answer).toList();
    }

    private static JudgedChanges.Verdict<CancelResult> cancelled(@Nullable Job job, Instant now) {
        RowChange change =
                job == null || job.state().isEnded() ? null : RowChange.of(job, JobRules.cancelled(job, now));
        return new JudgedChanges.Verdict<>(JobRules.answerToCancel(job), change);
    }

    CancelResult cancel(String name, String key, Instant now) {
        String field = Keyspace.field(name, key);
        JobId id = holder(field, name, key);
        JobId before = null;
        for (int tries = 0; id != null && !id.equals(before) && tries < JudgedChanges.MAX_TRIES; tries++) {
            List<JudgedChanges.Verdict<CancelResult>> verdicts =
                    changes.change("cancelling a job", List.of(id), JudgedChanges.Judge.each(found -> {
                        Job job = found.job();
                        boolean hasKey = job != null && !job.state().isEnded() && field.equals(Keyspace.field(job));
                        return cancelled(hasKey ? job : null, now);
                    }));
            if (verdicts.get(0).change() != null) {
                notify(verdicts);
                return verdicts.get(0).answer();
            }
            // The key may have gone to another job since it was looked up.
            before = id;
            id = holder(field, name, key);
        }
        // An earlier call without confirmed writes may have taken the key from the job.
        writes.confirm("cancelling a job", List.of(keys.keys(keys.slotOf(name, key))));
        return CancelResult.NOT_FOUND;
    }

    private @Nullable JobId holder(String field, String name, String key) {
        return reader.holders(Map.of(field, keys.slotOf(name, key))).get(field);
    }

    Map<JobId, CancelResult> cancel(List<JobId> ids, Predicate<Job> which, Instant now) {
        List<JudgedChanges.Verdict<CancelResult>> verdicts =
                changes.change("cancelling jobs", ids, JudgedChanges.Judge.each(found -> {
                    Job job = found.job();
                    boolean isMeant = job != null && !job.state().isEnded() && which.test(job);
                    return cancelled(isMeant ? job : null, now);
                }));
        notify(verdicts);
        Map<JobId, CancelResult> results = new HashMap<>();
        for (int i = 0; i < verdicts.size(); i++) {
            if (verdicts.get(i).change() != null) {
                results.put(ids.get(i), verdicts.get(i).answer());
            }
        }
        return results;
    }

    /** If this process dies before the notification, the caller gets no answer and can repeat the call. */
    private void notify(List<JudgedChanges.Verdict<CancelResult>> verdicts) {
        Map<JobId, Long> owners = new HashMap<>();
        for (JudgedChanges.Verdict<CancelResult> verdict : verdicts) {
            RowChange change = verdict.change();
            Job running = change == null ? null : change.before();
            if (running != null && running.state() == JobState.RUNNING) {
                owners.put(running.id(), running.owner());
            }
        }
        instances.noteCancellations(owners);
    }

    void withdraw(JobId id, Instant now) {
        changes.change("withdrawing a job", List.of(id), JudgedChanges.Judge.<Boolean>each(found -> {
            Job job = found.job();
            return job == null || job.state().isEnded()
                    ? new JudgedChanges.Verdict<>(Boolean.FALSE, null)
                    : new JudgedChanges.Verdict<>(Boolean.TRUE, RowChange.of(job, JobRules.withdrawn(job, now)));
        }));
    }

    List<ChangeResult> reschedule(List<JobMove> moves, long freshToken, DueSink committed) {
        return change(moves, committed, JudgedChanges.Judge.each(found -> {
            Job job = found.job();
            ChangeResult answer = JobRules.answerToReschedule(job);
            Instant due = moves.get(found.index()).due();
            return new JudgedChanges.Verdict<>(
                    answer,
                    job != null && answer == ChangeResult.CHANGED
                            ? RowChange.of(job, JobRules.rescheduled(job, due, freshToken))
                            : null);
        }));
    }

    /** If another job takes the key meanwhile, the script refuses the job, and the judge decides again. */
    List<ChangeResult> retry(List<JobMove> moves, long freshToken, DueSink committed) {
        return change(moves, committed, found -> {
            Map<String, JobId> holders = holders(found);
            Set<UUID> taking = groupsToRejoin(found);
            List<JudgedChanges.Verdict<ChangeResult>> verdicts = new ArrayList<>();
            for (JudgedChanges.Found each : found) {
                Job job = each.job();
                ChangeResult answer = JobRules.answerToRetry(job);
                String field = job == null ? null : Keyspace.field(job);
                boolean isTaken = field != null && holders.containsKey(field);
                if (job == null || answer != ChangeResult.CHANGED || isTaken) {
                    verdicts.add(new JudgedChanges.Verdict<>(
                            answer == ChangeResult.CHANGED ? ChangeResult.KEY_IN_USE : answer, null));
                } else {
                    Instant due = moves.get(each.index()).due();
                    GroupRef group = GroupCount.groupOf(job);
                    Job retried = group == null || taking.contains(group.id())
                            ? JobRules.retried(job, due, freshToken)
                            : JobRules.retriedAlone(job, due, freshToken);
                    verdicts.add(new JudgedChanges.Verdict<>(answer, RowChange.of(job, retried)));
                }
            }
            return verdicts;
        });
    }

    /** Removes the seals of the failed jobs' groups, and returns the groups that accept these jobs again. */
    private Set<UUID> groupsToRejoin(List<JudgedChanges.Found> found) {
        GroupGate.Members members = new GroupGate.Members();
        for (JudgedChanges.Found each : found) {
            members.add(GroupCount.groupOf(each.job()), keys.slotOf(each.id()));
        }
        if (members.isEmpty()) {
            return Set.of();
        }
        groups.open(members);
        return groups.taking(members);
    }

    private Map<String, JobId> holders(List<JudgedChanges.Found> found) {
        Map<String, Integer> slotsByField = new HashMap<>();
        for (JudgedChanges.Found each : found) {
            Job job = each.job();
            String field = job == null || job.state() != JobState.FAILED ? null : Keyspace.field(job);
            if (field != null) {
                slotsByField.put(field, keys.slotOf(each.id()));
            }
        }
        return reader.holders(slotsByField);
    }

    private List<ChangeResult> change(List<JobMove> moves, DueSink committed, JudgedChanges.Judge<ChangeResult> judge) {
        DueSink[] asOfChange = new DueSink[moves.size()];
        List<JudgedChanges.Verdict<ChangeResult>> verdicts =
                changes.change("changing jobs", moves.stream().map(JobMove::id).toList(), found -> {
                    // The sink must be taken between the read and the write of the jobs.
                    DueSink now = committed.asOfNow();
                    found.forEach(each -> asOfChange[each.index()] = now);
                    return judge.judge(found);
                });
        Map<DueSink, List<DueRow>> waiting = new LinkedHashMap<>();
        for (int i = 0; i < verdicts.size(); i++) {
            RowChange change = verdicts.get(i).change();
            if (change != null && change.after() != null) {
                waiting.computeIfAbsent(asOfChange[i], first -> new ArrayList<>())
                        .add(change.after().toDueRow());
            }
        }
        waiting.forEach(DueSink::accept);
        return verdicts.stream().map(JudgedChanges.Verdict::answer).toList();
    }

    AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
        record Ending(AnswerResult result, @Nullable Completion written) {}
        Ending ending = changes.change("answering a job", List.of(id), JudgedChanges.Judge.<Ending>each(found -> {
                    Job job = found.job();
                    if (job == null || job.state().isEnded()) {
                        return new JudgedChanges.Verdict<>(new Ending(JobRules.answerAfterTheEnd(job), null), null);
                    }
                    Completion completion = end.apply(job);
                    if (completion == null) {
                        return new JudgedChanges.Verdict<>(new Ending(AnswerResult.NOT_AWAITED, null), null);
                    }
                    AnswerResult result = completion.cancels() ? AnswerResult.CANCELLED : AnswerResult.TAKEN;
                    return RedisTransitions.ended(new Ending(result, completion), job, completion);
                }))
                .get(0)
                .answer();
        if (ending.written != null) {
            committed.accept(ending.written);
        }
        return ending.result;
    }
}
