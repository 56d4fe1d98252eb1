package io.delayjob.memory;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes that people and answers from outside make. Guarded by the lock of the {@link MemoryJobStore}. */
final class MemoryChanges {

    private final MemoryJobTable unfinished;
    private final MemoryHistory history;
    private final MemoryTransitions transitions;
    private final MemoryInstanceStore instances;

    /** @param instances the register, where the owner of a cancelled job finds the notice */
    MemoryChanges(
            MemoryJobTable unfinished,
            MemoryHistory history,
            MemoryTransitions transitions,
            MemoryInstanceStore instances) {
        this.unfinished = unfinished;
        this.history = history;
        this.transitions = transitions;
        this.instances = instances;
    }

    CancelResult cancel(JobId id, Instant now) {
        Job job = unfinished.find(id);
        if (job != null) {
            return cancel(job, now);
        }
        Job ended = history.find(id);
        if (ended == null) {
            return CancelResult.NOT_FOUND;
        }
        return ended.state() == JobState.CANCELLED ? CancelResult.ofCancelled(ended) : CancelResult.ALREADY_ENDED;
    }

    CancelResult cancel(String name, String key, Instant now) {
        Job job = unfinished.find(name, key);
        return job == null ? CancelResult.NOT_FOUND : cancel(job, now);
    }

    private CancelResult cancel(Job job, Instant now) {
        if (job.state() == JobState.RUNNING) {
            unfinished.save(JobEdit.of(job).cancelRequested().done());
            instances.noteCancellation(job.owner(), job.id());
            return CancelResult.RUNNING;
        }
        transitions.endCancelled(job, now);
        return CancelResult.ofCancelled(job);
    }

    /** Cancels those of the jobs that are unfinished and of this kind. */
    Map<JobId, CancelResult> cancel(List<JobId> ids, Predicate<Job> which, Instant now) {
        return ids.stream()
                .map(unfinished::find)
                .filter(job -> job != null && which.test(job))
                .collect(Collectors.toMap(Job::id, job -> cancel(job.id(), now)));
    }

    void withdraw(JobId id, Instant now) {
        Job job = unfinished.find(id);
        if (job == null) {
            return;
        }
        JobEdit withdrawn = JobEdit.of(job).withoutKey();
        if (job.state() == JobState.RUNNING) {
            unfinished.save(withdrawn.cancelRequested().done());
        } else {
            transitions.endCancelled(withdrawn.done(), now);
        }
    }

    /** @param nowWaiting gets the row of the moved job */
    ChangeResult reschedule(JobId id, Instant due, long freshToken, Map<JobId, DueRow> nowWaiting) {
        Job job = unfinished.find(id);
        if (job == null) {
            return history.find(id) == null ? ChangeResult.NOT_FOUND : ChangeResult.ALREADY_ENDED;
        }
        if (job.isUnderWay()) {
            return ChangeResult.RUNNING;
        }
        Job moved = JobEdit.of(job).movedTo(due, due, freshToken).done();
        unfinished.save(moved);
        nowWaiting.put(id, moved.toDueRow());
        return ChangeResult.CHANGED;
    }

    /** @param nowWaiting gets the row of the revived job */
    ChangeResult retry(JobId id, Instant due, long freshToken, Map<JobId, DueRow> nowWaiting) {
        Job job = unfinished.find(id);
        if (job != null) {
            return job.isUnderWay() ? ChangeResult.RUNNING : ChangeResult.WAITING;
        }
        Job ended = history.find(id);
        if (ended == null) {
            return ChangeResult.NOT_FOUND;
        }
        if (ended.state() != JobState.FAILED) {
            return ChangeResult.ALREADY_ENDED;
        }
        if (unfinished.find(ended.name(), ended.key()) != null) {
            return ChangeResult.KEY_IN_USE;
        }
        Job revived = JobEdit.of(ended).revived(due, freshToken).done();
        history.delete(id);
        unfinished.save(revived);
        nowWaiting.put(id, revived.toDueRow());
        return ChangeResult.CHANGED;
    }

    /** @param written gets the end that the answer led to */
    AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, List<Completion> written) {
        Job job = unfinished.find(id);
        if (job == null) {
            Job ended = history.find(id);
            return ended == null
                    ? AnswerResult.NOT_FOUND
                    : ended.state() == JobState.CANCELLED ? AnswerResult.CANCELLED : AnswerResult.NOT_AWAITED;
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
