package io.delayjob.store;

import io.delayjob.job.AttemptCounts;
import io.delayjob.job.GroupRef;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Copies a job, and changes some components of the copy. Not thread-safe. */
final class JobEdit {

    private Job job;

    private JobEdit(Job job) {
        this.job = job;
    }

    static JobEdit of(Job job) {
        return new JobEdit(job);
    }

    JobEdit replacedBy(NewJob replacement) {
        job = job.in(replacement.partition())
                .with(inGroupOf(job, replacement.task().withKey(job.key())))
                .with(replacement.plan())
                .with(job.progress().fencedBy(replacement.token()));
        return counts(job.progress().counts().ofNewRun());
    }

    /** The new job stays in the group of the replaced job. Otherwise, the group would wait for ever. */
    private static JobTask inGroupOf(Job member, JobTask task) {
        GroupRef group = JobExtras.groupOf(member.task().extras());
        return group == null
                ? task
                : task.withExtras(
                        JobExtras.parse(task.extras()).withGroup(group).toText());
    }

    /** A job that waits for a retry keeps its planned time, because a retry does not move later runs. */
    JobEdit movedTo(Instant planned, Instant due, long freshToken) {
        JobPlan plan = job.isFirstAttemptOfRun() ? job.plan().atRun(job.run(), planned) : job.plan();
        job = job.with(plan.due(due));
        return token(freshToken);
    }

    JobEdit postponedBy(NewJob call) {
        job = job.in(call.partition());
        return movedTo(call.plannedAt(), call.dueAt(), call.token());
    }

    JobEdit waiting(long freshToken) {
        return progress(JobState.DELAYED, freshToken, 0, job.startedAt());
    }

    JobEdit awaiting(boolean awaiting) {
        job = job.with(job.progress().awaiting(awaiting));
        return this;
    }

    JobEdit claimedBy(long instance, long freshToken, Instant now) {
        Instant startedAt = now.isBefore(job.dueAt()) ? job.dueAt() : now;
        AttemptCounts counts = job.progress().counts();
        return progress(JobState.RUNNING, freshToken, instance, startedAt)
                .counts(job.awaiting() ? counts : counts.claimed());
    }

    JobEdit rescued(Instant now) {
        job = job.with(job.plan().due(now));
        return awaiting(false).counts(job.progress().counts().rescued());
    }

    JobEdit revived(Instant due, long freshToken) {
        AttemptCounts counts = job.progress().counts().ofNewRun();
        job = job.with(job.plan().atRun(job.run(), due).due(due))
                .with(new JobProgress(JobState.DELAYED, freshToken, 0, job.startedAt(), false, counts))
                .with(JobEnd.NONE);
        return this;
    }

    JobEdit withoutKey() {
        job = job.with(job.task().withKey(null));
        return this;
    }

    JobEdit cancelRequested() {
        job = job.with(job.progress().withCancelRequest());
        return this;
    }

    JobEdit inDoubt(int change) {
        return counts(job.progress().counts().inDoubt(change));
    }

    /** The run may be later than the claimed run, for example if the attempt has merged several missed runs. */
    JobEdit atRun(int actualRun, Instant planned) {
        job = job.atRun(actualRun, planned);
        return this;
    }

    JobEdit atNextRun(int nextRun, Instant planned) {
        return atRun(nextRun, planned).counts(job.progress().counts().ofNewRun());
    }

    JobEdit dueAgain(Instant due, int failuresSoFar) {
        job = job.with(job.plan().due(due));
        return counts(job.progress().counts().failed(failuresSoFar));
    }

    JobEdit token(long freshToken) {
        job = job.with(job.progress().fencedBy(freshToken));
        return this;
    }

    JobEdit extras(@Nullable String extras) {
        job = job.with(job.task().withExtras(extras));
        return this;
    }

    /** A failed job keeps its payload, because it can be retried. */
    JobEdit ended(JobState finalState, JobEnd how) {
        if (finalState != JobState.FAILED) {
            job = job.with(job.task().withPayload(null));
        }
        job = job.with(how);
        return awaiting(false).progress(finalState, job.token(), 0, job.startedAt());
    }

    private JobEdit progress(JobState state, long token, long owner, @Nullable Instant startedAt) {
        JobProgress was = job.progress();
        job = job.with(
                new JobProgress(state, token, owner, startedAt, was.cancelRequested(), was.awaiting(), was.counts()));
        return this;
    }

    private JobEdit counts(AttemptCounts counts) {
        job = job.with(job.progress().with(counts));
        return this;
    }

    Job done() {
        return job;
    }
}
