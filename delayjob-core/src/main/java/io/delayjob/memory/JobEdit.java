package io.delayjob.memory;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.Partition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A job with some of its columns changed; what is not named stays as it was. Not thread-safe. */
final class JobEdit {

    private final Job job;
    private Partition partition;
    private @Nullable String key;
    private @Nullable String payload;
    private @Nullable String schedule;
    private @Nullable String retry;
    private @Nullable String trace;
    private JobState state;
    private long token;
    private Instant scheduledAt;
    private Instant plannedAt;
    private Instant dueAt;
    private int run;
    private int attempt;
    private int failures;
    private int rescues;
    private int inDoubt;
    private boolean cancelRequested;
    private long owner;
    private @Nullable Instant startedAt;
    private @Nullable Instant calledAt;
    private @Nullable Instant endedAt;
    private @Nullable Failure failure;

    private JobEdit(Job job) {
        this.job = job;
        partition = job.partition();
        key = job.key();
        payload = job.payload();
        schedule = job.schedule();
        retry = job.retry();
        trace = job.trace();
        state = job.state();
        token = job.token();
        scheduledAt = job.scheduledAt();
        plannedAt = job.plannedAt();
        dueAt = job.dueAt();
        run = job.run();
        attempt = job.attempt();
        failures = job.failures();
        rescues = job.rescues();
        inDoubt = job.inDoubt();
        cancelRequested = job.cancelRequested();
        owner = job.owner();
        startedAt = job.startedAt();
        calledAt = job.calledAt();
        endedAt = job.endedAt();
        failure = job.failure();
    }

    static JobEdit of(Job job) {
        return new JobEdit(job);
    }

    /** The row of a job that has just been written. */
    static Job firstRow(NewJob job) {
        return new Job(
                job.id(),
                job.partition(),
                job.name(),
                job.key(),
                job.payload(),
                null,
                job.schedule(),
                job.retry(),
                job.trace(),
                JobState.DELAYED,
                job.token(),
                job.scheduledAt(),
                job.plannedAt(),
                job.dueAt(),
                1,
                0,
                0,
                0,
                0,
                false,
                0,
                null,
                null,
                null,
                null);
    }

    /** What {@link io.delayjob.job.OnExisting#REPLACE} takes over: everything but identity and attempts. */
    JobEdit replacedBy(NewJob replacement) {
        partition = replacement.partition();
        payload = replacement.payload();
        schedule = replacement.schedule();
        retry = replacement.retry();
        trace = replacement.trace();
        token = replacement.token();
        scheduledAt = replacement.scheduledAt();
        plannedAt = replacement.plannedAt();
        dueAt = replacement.dueAt();
        run = 1;
        failures = 0;
        rescues = 0;
        return this;
    }

    /** A new due time, which is the plan's as well unless the job is between retries: a retry shifts no later run. */
    JobEdit movedTo(Instant planned, Instant due, long freshToken) {
        plannedAt = job.isFirstAttemptOfRun() ? planned : plannedAt;
        dueAt = due;
        token = freshToken;
        return this;
    }

    /** What {@link io.delayjob.job.OnExisting#POSTPONE} takes over. */
    JobEdit postponedBy(NewJob call) {
        partition = call.partition();
        return movedTo(call.plannedAt(), call.dueAt(), call.token());
    }

    JobEdit waiting(long freshToken) {
        state = JobState.DELAYED;
        owner = 0;
        token = freshToken;
        return this;
    }

    JobEdit claimedBy(long instance, long freshToken, Instant now) {
        state = JobState.RUNNING;
        owner = instance;
        token = freshToken;
        attempt++;
        startedAt = now.isBefore(dueAt) ? dueAt : now;
        return this;
    }

    JobEdit rescued(Instant now) {
        dueAt = now;
        failures++;
        rescues++;
        inDoubt++;
        return this;
    }

    JobEdit revived(Instant due) {
        plannedAt = due;
        dueAt = due;
        failures = 0;
        rescues = 0;
        cancelRequested = false;
        calledAt = null;
        endedAt = null;
        failure = null;
        return this;
    }

    JobEdit withoutKey() {
        key = null;
        return this;
    }

    JobEdit cancelRequested() {
        cancelRequested = true;
        return this;
    }

    JobEdit inDoubt(int change) {
        inDoubt = Math.max(0, inDoubt + change);
        return this;
    }

    /** The run that the attempt was in fact made for, once missed ones were merged into it. */
    JobEdit atRun(int actualRun, Instant planned) {
        run = actualRun;
        plannedAt = planned;
        return this;
    }

    JobEdit atNextRun(int nextRun, Instant planned) {
        run = nextRun;
        plannedAt = planned;
        rescues = 0;
        return this;
    }

    JobEdit dueAgain(Instant due, int failuresSoFar) {
        dueAt = due;
        failures = failuresSoFar;
        return this;
    }

    JobEdit token(long freshToken) {
        token = freshToken;
        return this;
    }

    JobEdit called(@Nullable Instant at) {
        calledAt = at;
        return this;
    }

    /** Only a dead letter keeps its payload: nothing else can be brought back. */
    JobEdit ended(JobState finalState, Instant at, @Nullable Failure why) {
        state = finalState;
        payload = finalState == JobState.FAILED ? payload : null;
        owner = 0;
        endedAt = at;
        failure = why;
        return this;
    }

    Job done() {
        return new Job(
                job.id(),
                partition,
                job.name(),
                key,
                payload,
                null,
                schedule,
                retry,
                trace,
                state,
                token,
                scheduledAt,
                plannedAt,
                dueAt,
                run,
                attempt,
                failures,
                rescues,
                inDoubt,
                cancelRequested,
                owner,
                startedAt,
                calledAt,
                endedAt,
                failure);
    }
}
