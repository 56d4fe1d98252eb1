package io.delayjob.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job as it was read from its row, in four parts. This type also has a method for every component of a part.
 * Immutable.
 *
 * @param id the job's identity
 * @param partition the queue and partition of its row
 * @param task the work of the job
 * @param plan the time of the job
 * @param progress the progress of the job
 * @param end the end of the job; {@link JobEnd#NONE} for an unfinished job
 */
public record Job(JobId id, Partition partition, JobTask task, JobPlan plan, JobProgress progress, JobEnd end) {

    /** The key of a handler's single job if the handler is declared to start by itself. */
    public static final String DECLARED_KEY = "@schedule";

    /** Returns the handler's name. */
    public String name() {
        return task.name();
    }

    /** Returns the key; {@code null} for none. At most one unfinished job has a given (name, key). */
    public @Nullable String key() {
        return task.key();
    }

    /** Returns the {@linkplain JobTask#payload() arguments as JSON}. */
    public @Nullable String payload() {
        return task.payload();
    }

    /** Returns the reason why the stored payload was not read; {@code null} if it was read, or if there is none. */
    public @Nullable OversizePayload oversize() {
        return task.oversize();
    }

    /** Returns the trace context of the call that scheduled it (W3C traceparent). */
    public @Nullable String trace() {
        return task.trace();
    }

    /** Returns the attributes that most jobs do not have. */
    public JobExtras extras() {
        return JobExtras.parse(task.extras());
    }

    /**
     * Returns the latest time at which an attempt of this run may start, if the job {@linkplain
     * JobExtras#expiresAfter() states} its own expiry; {@code null} if its handler decides.
     */
    public @Nullable Instant expiresAt() {
        Duration expiresAfter = extras().expiresAfter();
        return expiresAfter == null ? null : plannedAt().plus(expiresAfter);
    }

    /** Returns its labels, in alphabetical order. */
    public List<String> labels() {
        return extras().labels();
    }

    /** Returns the {@linkplain JobExtras#result() result} of a finished job; {@code null} for none. */
    public @Nullable String result() {
        return extras().result();
    }

    /** Returns the id of the job before this job in its chain; {@code null} if there is none. */
    public @Nullable JobId follows() {
        return extras().follows();
    }

    /** Returns the text of its {@link io.delayjob.schedule.Schedule}; {@code null} for a one-shot. */
    public @Nullable String schedule() {
        return plan.schedule();
    }

    /**
     * Returns the text of its own {@link io.delayjob.schedule.RetryPolicy}; {@code null} if the handler's policy
     * applies.
     */
    public @Nullable String retry() {
        return plan.retry();
    }

    /** Returns when it was scheduled: offsets and calendar periods count from this time. */
    public Instant scheduledAt() {
        return plan.scheduledAt();
    }

    /** Returns the number of this run, from 1. */
    public int run() {
        return plan.run();
    }

    /** Returns the planned time of this run; retries do not move it. */
    public Instant plannedAt() {
        return plan.plannedAt();
    }

    /** Returns the due time of the next attempt, jitter and retry delay included. */
    public Instant dueAt() {
        return plan.dueAt();
    }

    /** Returns the stored state. */
    public JobState state() {
        return progress.state();
    }

    /** Returns the fence: it is new at every transition, and every transition is conditional on it. */
    public long token() {
        return progress.token();
    }

    /** Returns the number of the instance that claimed it; 0 while no instance holds it. */
    public long owner() {
        return progress.owner();
    }

    /**
     * Returns when the last attempt was {@linkplain JobProgress#startedAt() claimed}; {@code null} if there was none.
     */
    public @Nullable Instant startedAt() {
        return progress.startedAt();
    }

    /** Tells whether no further attempt may follow the running one. */
    public boolean cancelRequested() {
        return progress.cancelRequested();
    }

    /**
     * Tells whether its last attempt awaits an {@linkplain AnswerTicket answer from outside}. Its due time is the
     * deadline of the answer. Stays true while an instance has claimed the job because that deadline has come.
     */
    public boolean awaiting() {
        return progress.awaiting();
    }

    /** Tells whether an attempt is under way, here or outside: the job is claimed, or awaits an answer. */
    public boolean isUnderWay() {
        return state() == JobState.RUNNING || awaiting();
    }

    /** Returns the deadline of the answer that the job awaits; {@code null} if it awaits none. */
    public @Nullable Instant awaitedUntil() {
        return awaiting() && state() != JobState.RUNNING ? dueAt() : null;
    }

    /** Returns the number of {@linkplain AttemptCounts#attempt() claims} so far, over all its runs. */
    public int attempt() {
        return progress.counts().attempt();
    }

    /** Returns the number of failed and lost attempts of this {@linkplain AttemptCounts#failures() run}. */
    public int failures() {
        return progress.counts().failures();
    }

    /** Returns the number of attempts of this run that were lost with their instance. */
    public int rescues() {
        return progress.counts().rescues();
    }

    /** Returns the number of attempts, of any run, that may still be under way although the row has changed since. */
    public int inDoubt() {
        return progress.counts().inDoubt();
    }

    /** Returns when the handler was called in the {@linkplain JobEnd#calledAt() attempt that ended the job}. */
    public @Nullable Instant calledAt() {
        return end.calledAt();
    }

    /** Returns when it ended; {@code null} for an unfinished job. */
    public @Nullable Instant endedAt() {
        return end.endedAt();
    }

    /** Returns why it {@linkplain JobState#FAILED failed} or expired; {@code null} if it did neither. */
    public @Nullable Failure failure() {
        return end.failure();
    }

    /**
     * Returns the state as of {@code now}: {@link JobState#AWAITING} for a job that awaits an answer, {@link
     * JobState#READY} for a waiting job that is due.
     */
    public JobState stateAt(Instant now) {
        if (state() != JobState.DELAYED) {
            return state();
        }
        return awaiting() ? JobState.AWAITING : dueAt().isAfter(now) ? JobState.DELAYED : JobState.READY;
    }

    /** Returns the same job with its {@linkplain #stateAt state as of} {@code now}. */
    public Job asOf(Instant now) {
        JobState seen = stateAt(now);
        return seen == state() ? this : with(progress.in(seen));
    }

    /** Tells whether no attempt of this run has ended or been lost so far. */
    public boolean isFirstAttemptOfRun() {
        return progress.counts().isFirstAttemptOfRun();
    }

    /** Returns the same job at {@code run}, planned for {@code plannedAt}; the runs before it are used up. */
    public Job atRun(int run, Instant plannedAt) {
        return with(plan.atRun(run, plannedAt));
    }

    /** Returns the same job with the time of its handler's call. */
    public Job called(Instant at) {
        return with(new JobEnd(at, endedAt(), failure()));
    }

    /** Returns the same job as from a store that reads payloads of at most {@code maxPayloadBytes} bytes of UTF-8. */
    public Job readUpTo(long maxPayloadBytes) {
        JobTask read = task.readUpTo(maxPayloadBytes);
        return read == task ? this : with(read);
    }

    /** Returns the same job in another partition. */
    public Job in(Partition newPartition) {
        return new Job(id, newPartition, task, plan, progress, end);
    }

    /** Returns the same job with another task. */
    public Job with(JobTask newTask) {
        return new Job(id, partition, newTask, plan, progress, end);
    }

    /** Returns the same job with another plan. */
    public Job with(JobPlan newPlan) {
        return new Job(id, partition, task, newPlan, progress, end);
    }

    /** Returns the same job with other progress. */
    public Job with(JobProgress newProgress) {
        return new Job(id, partition, task, plan, newProgress, end);
    }

    /** Returns the same job with another end. */
    public Job with(JobEnd newEnd) {
        return new Job(id, partition, task, plan, progress, newEnd);
    }

    /** Returns the part of the job that the wheel needs. */
    public DueRow toDueRow() {
        return new DueRow(id, partition, name(), dueAt().toEpochMilli(), token());
    }
}
