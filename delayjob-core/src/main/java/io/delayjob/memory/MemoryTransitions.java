package io.delayjob.memory;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.store.CompletionResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Claims, releases, completions and rescues. Guarded by the lock of the {@link MemoryJobStore}. */
final class MemoryTransitions {

    private final MemoryJobTable unfinished;
    private final MemoryHistory history;
    private final long maxPayloadBytes;

    /** @param maxPayloadBytes maximum length of a payload that a claim returns, in bytes of UTF-8 */
    MemoryTransitions(MemoryJobTable unfinished, MemoryHistory history, long maxPayloadBytes) {
        this.unfinished = unfinished;
        this.history = history;
        this.maxPayloadBytes = maxPayloadBytes;
    }

    List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        List<Job> claimed = new ArrayList<>(rows.size());
        for (DueRow row : rows) {
            Job job = unfinished.find(row.id());
            if (job != null && job.state() == JobState.DELAYED && job.token() == row.token()) {
                Job running = JobEdit.of(job).claimedBy(owner, freshToken, now).done();
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
                Job released = JobEdit.of(job).waiting(freshToken).done();
                if (job.cancelRequested()) {
                    endCancelled(released, now);
                } else {
                    unfinished.save(released);
                }
            }
        }
        return List.of();
    }

    List<CompletionResult> complete(List<Completion> completions) {
        return completions.stream().map(this::complete).toList();
    }

    CompletionResult complete(Completion completion) {
        Job job = unfinished.find(completion.job().id());
        if (job == null) {
            return completeAgain(completion, history.find(completion.job().id()));
        }
        if (job.token() != completion.job().token()) {
            return completeAgain(completion, job);
        }
        JobEdit edit = JobEdit.of(job)
                .atRun(completion.job().run(), completion.job().plannedAt())
                .inDoubt(completion.inDoubtChange())
                .token(completion.freshToken());
        history.log(completion.log());
        boolean finished = completion.next() instanceof Transition.Ended ended && ended.state() == JobState.FINISHED;
        if (job.cancelRequested() && !finished) {
            end(edit.inDoubt(completion.awaits() ? 1 : 0), JobState.CANCELLED, completion);
            return CompletionResult.ACCEPTED_CANCELLED;
        }
        if (completion.next() instanceof Transition.Ended ended) {
            end(edit, ended.state(), completion);
            return CompletionResult.ACCEPTED;
        }
        Transition.Again again = (Transition.Again) completion.next();
        if (!again.retries(completion.job())) {
            edit.atNextRun(again.run(), again.plannedAt());
        }
        unfinished.save(edit.waiting(completion.freshToken())
                .awaiting(again.awaiting())
                .dueAgain(again.dueAt(), again.failures())
                .done());
        return CompletionResult.ACCEPTED;
    }

    private void end(JobEdit edit, JobState state, Completion completion) {
        Job ended = edit.ended(
                        state, new JobEnd(completion.job().calledAt(), completion.endedAt(), completion.failure()))
                .done();
        unfinished.delete(ended.id());
        if (completion.keep() || state == JobState.FAILED) {
            history.save(ended);
        } else {
            history.forgetAttempts(ended.id());
        }
    }

    /**
     * Returns the result of a repeated completion. If the row bears the fresh token, in either table, this completion
     * was already applied.
     */
    private static CompletionResult completeAgain(Completion completion, @Nullable Job job) {
        if (job == null) {
            return CompletionResult.GONE;
        }
        if (job.token() != completion.freshToken()) {
            boolean superseded = completion.isSupersededIn(job.run(), job.attempt(), job.rescues());
            return superseded ? CompletionResult.SUPERSEDED : CompletionResult.FENCED;
        }
        boolean asSent = completion.next() instanceof Transition.Ended ended
                ? job.state() == ended.state()
                : !job.state().isEnded();
        return asSent ? CompletionResult.ACCEPTED : CompletionResult.ACCEPTED_CANCELLED;
    }

    void settleDoubt(Collection<JobId> ids) {
        for (JobId id : ids) {
            Job job = unfinished.find(id);
            Job ended = history.find(id);
            if (job != null) {
                unfinished.save(JobEdit.of(job).inDoubt(-1).done());
            } else if (ended != null) {
                history.save(JobEdit.of(ended).inDoubt(-1).done());
            }
        }
    }

    List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        List<DueRow> waiting = new ArrayList<>();
        for (DueRow row : lost) {
            Job job = unfinished.find(row.id());
            if (job == null || job.token() != row.token()) {
                continue;
            }
            Job rescued = JobEdit.of(job).waiting(freshToken).rescued(now).done();
            if (job.cancelRequested()) {
                endCancelled(rescued, now);
            } else {
                unfinished.save(rescued);
                waiting.add(rescued.toDueRow());
            }
        }
        return waiting;
    }

    /** Ends a job that was cancelled before its next attempt. Nobody knows of work outside whether it goes on. */
    void endCancelled(Job job, Instant at) {
        unfinished.delete(job.id());
        history.save(JobEdit.of(job)
                .inDoubt(job.awaiting() ? 1 : 0)
                .ended(JobState.CANCELLED, new JobEnd(job.calledAt(), at, null))
                .done());
    }
}
