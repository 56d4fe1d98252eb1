package io.delayjob.memory;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobRules;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes that people and answers from outside request. The lock of the {@link MemoryJobStore} guards this
 * object.
 */
final class MemoryChanges {

    private final MemoryJobTable unfinished;
    private final MemoryHistory history;
    private final MemoryGroups groups;
    private final MemoryTransitions transitions;
    private final MemoryInstanceStore instances;

    MemoryChanges(
            MemoryJobTable unfinished,
            MemoryHistory history,
            MemoryGroups groups,
            MemoryTransitions transitions,
            MemoryInstanceStore instances) {
        this.unfinished = unfinished;
        this.history = history;
        this.groups = groups;
        this.transitions = transitions;
        this.instances = instances;
    }

    CancelResult cancel(JobId id, Instant now) {
        Job job = unfinished.find(id);
        return job == null ? JobRules.answerToCancel(history.find(id)) : cancel(job, now);
    }

    CancelResult cancel(String name, String key, Instant now) {
        Job job = unfinished.find(name, key);
        return job == null ? CancelResult.NOT_FOUND : cancel(job, now);
    }

    private CancelResult cancel(Job job, Instant now) {
        transitions.save(JobRules.cancelled(job, now));
        if (job.state() == JobState.RUNNING) {
            instances.noteCancellation(job.owner(), job.id());
        }
        return JobRules.answerToCancel(job);
    }

    Map<JobId, CancelResult> cancel(List<JobId> ids, Predicate<Job> which, Instant now) {
        return ids.stream()
                .map(unfinished::find)
                .filter(job -> job != null && which.test(job))
                .collect(Collectors.toMap(Job::id, job -> cancel(job.id(), now)));
    }

    void withdraw(JobId id, Instant now) {
        Job job = unfinished.find(id);
        if (job != null) {
            transitions.save(JobRules.withdrawn(job, now));
        }
    }

    ChangeResult reschedule(JobId id, Instant due, long freshToken, Map<JobId, DueRow> nowWaiting) {
        Job job = present(id);
        ChangeResult answer = JobRules.answerToReschedule(job);
        if (job != null && answer == ChangeResult.CHANGED) {
            save(JobRules.rescheduled(job, due, freshToken), nowWaiting);
        }
        return answer;
    }

    ChangeResult retry(JobId id, Instant due, long freshToken, Map<JobId, DueRow> nowWaiting) {
        Job job = present(id);
        ChangeResult answer = JobRules.answerToRetry(job);
        if (job == null || answer != ChangeResult.CHANGED) {
            return answer;
        }
        if (unfinished.find(job.name(), job.key()) != null) {
            return ChangeResult.KEY_IN_USE;
        }
        history.delete(id);
        GroupRef group = JobExtras.groupOf(job.task().extras());
        boolean alone = group != null && !groups.takes(group);
        Job retried = alone ? JobRules.retriedAlone(job, due, freshToken) : JobRules.retried(job, due, freshToken);
        groups.begin(retried);
        save(retried, nowWaiting);
        return ChangeResult.CHANGED;
    }

    private void save(Job waiting, Map<JobId, DueRow> nowWaiting) {
        unfinished.save(waiting);
        nowWaiting.put(waiting.id(), waiting.toDueRow());
    }

    private @Nullable Job present(JobId id) {
        Job job = unfinished.find(id);
        return job == null ? history.find(id) : job;
    }

    AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, List<Completion> written) {
        Job job = unfinished.find(id);
        if (job == null) {
            return JobRules.answerAfterTheEnd(history.find(id));
        }
        Completion completion = end.apply(job);
        if (completion == null) {
            return AnswerResult.NOT_AWAITED;
        }
        transitions.complete(completion);
        written.add(completion);
        return completion.cancels() ? AnswerResult.CANCELLED : AnswerResult.TAKEN;
    }
}
