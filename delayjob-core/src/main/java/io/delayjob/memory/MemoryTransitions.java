package io.delayjob.memory;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Claims, releases, completes and rescues jobs. The lock of the {@link MemoryJobStore} guards this object. */
final class MemoryTransitions {

    private final MemoryJobTable unfinished;
    private final MemoryHistory history;
    private final MemoryGroups groups;
    private final long maxPayloadBytes;

    MemoryTransitions(MemoryJobTable unfinished, MemoryHistory history, MemoryGroups groups, long maxPayloadBytes) {
        this.unfinished = unfinished;
        this.history = history;
        this.groups = groups;
        this.maxPayloadBytes = maxPayloadBytes;
    }

    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        List<Job> claimed = new ArrayList<>(rows.size());
        for (DueRow row : rows) {
            Job job = unfinished.find(row.id());
            if (job != null && job.state() == JobState.DELAYED && job.token() == row.token()) {
                Job running = JobRules.claimed(job, owner, freshToken, now);
                unfinished.save(running);
                claimed.add(running.readUpTo(maxPayloadBytes));
            }
        }
        return claimed;
    }

    List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        for (DueRow row : rows) {
            Job job = unfinished.find(row.id());
            if (job != null && (job.token() == row.token() || job.token() == claimToken)) {
                save(JobRules.released(job, freshToken, now));
            }
        }
        return List.of();
    }

    List<CompletionResult> complete(List<Completion> completions) {
        return completions.stream().map(this::complete).toList();
    }

    CompletionResult complete(Completion completion) {
        JobId id = completion.job().id();
        Job job = unfinished.find(id);
        if (job == null || job.token() != completion.job().token()) {
            return JobRules.notAccepted(job == null ? history.find(id) : job, completion);
        }
        history.log(completion.log());
        Job after = JobRules.completed(job, completion);
        if (!after.state().isEnded() || JobRules.isKept(after, completion)) {
            save(after);
        } else {
            leave(job, after.state());
            history.forgetAttempts(id);
        }
        Job follower = JobRules.follower(job, completion);
        if (follower != null && unfinished.find(follower.id()) == null && history.find(follower.id()) == null) {
            unfinished.save(follower);
            groups.begin(follower);
        }
        return JobRules.accepted(job, completion);
    }

    List<JobId> settleDoubt(Collection<JobId> ids) {
        for (JobId id : ids) {
            Job job = unfinished.find(id);
            Job known = job == null ? history.find(id) : job;
            if (known != null) {
                save(JobRules.settled(known));
            }
        }
        return List.of();
    }

    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        List<DueRow> waiting = new ArrayList<>();
        for (DueRow row : lost) {
            Job job = unfinished.find(row.id());
            if (job != null && job.token() == row.token()) {
                Job rescued = JobRules.rescued(job, freshToken, now);
                save(rescued);
                if (!rescued.state().isEnded()) {
                    waiting.add(rescued.toDueRow());
                }
            }
        }
        return waiting;
    }

    void save(Job job) {
        if (!job.state().isEnded()) {
            unfinished.save(job);
            return;
        }
        Job before = unfinished.find(job.id());
        if (before != null) {
            leave(before, job.state());
        }
        history.save(job);
    }

    /** Only this method removes ended jobs from the table, so that every end is counted in its group. */
    private void leave(Job before, JobState ended) {
        unfinished.delete(before.id());
        groups.end(before, ended);
    }
}
