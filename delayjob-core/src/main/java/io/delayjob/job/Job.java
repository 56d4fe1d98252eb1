package io.delayjob.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job as it was read from its row. A job has four parts: task, plan, progress and end. This type also has a method
 * for each component of the four parts. Immutable.
 *
 * @param end the end of the job; {@link JobEnd#NONE} for an unfinished job
 */
public record Job(JobId id, Partition partition, JobTask task, JobPlan plan, JobProgress progress, JobEnd end) {

    /** A self-starting handler has only one job. This is the key of that job. */
    public static final String DECLARED_KEY = "@schedule";

    /** Returns the handler's name. */
    public String name() {
        return task.name();
    }

    /** Returns the key, or {@code null}. Two unfinished jobs never have the same name and the same key. */
    public @Nullable String key() {
        return task.key();
    }

    /** Returns the {@linkplain JobTask#payload() arguments as JSON}. */
    public @Nullable String payload() {
        return task.payload();
    }

    /**
     * Returns why the stored payload was not read. Returns {@code null} if the payload was read, or if the job has no
     * payload.
     */
    public @Nullable OversizePayload oversize() {
        return task.oversize();
    }

    /** Returns the trace context of the call that scheduled the job (W3C traceparent). */
    public @Nullable String trace() {
        return task.trace();
    }

    /** Returns the attributes that only some jobs have. */
    public JobExtras extras() {
        return JobExtras.parse(task.extras());
    }

    /**
     * Returns the latest time at which an attempt of this run may start. Returns {@code null} if the job
     * {@linkplain JobExtras#expiresAfter() states} no expiry of its own.
     */
    public @Nullable Instant expiresAt() {
        Duration expiresAfter = extras().expiresAfter();
        return expiresAfter == null ? null : plannedAt().plus(expiresAfter);
    }

    /**
     * Returns the time at which a finished job leaves the history. Returns {@code null} if the handler of the job does
     * not {@linkplain JobExtras#keepFor() state} a retention time.
     */
    public @Nullable Instant keptUntil() {
        Duration keepFor = state() == JobState.FINISHED ? JobExtras.keepForOf(task.extras()) : null;
        Instant ended = endedAt();
        return keepFor == null || ended == null ? null : ended.plus(keepFor);
    }

    /** Returns the {@linkplain JobExtras#mutex() mutex}, or {@code null}. */
    public @Nullable String mutex() {
        ClaimKeys keys = task.keys();
        return keys == null ? null : keys.mutex();
    }

    /** Returns the {@linkplain JobExtras#rateKey() rate key}, or {@code null}. */
    public @Nullable String rateKey() {
        ClaimKeys keys = task.keys();
        return keys == null ? null : keys.rateKey();
    }

    /** Returns the {@linkplain JobExtras#fairKey() fair key}, or {@code null}. */
    public @Nullable String fairKey() {
        ClaimKeys keys = task.keys();
        return keys == null ? null : keys.fairKey();
    }

    /** Returns the labels, in alphabetical order. */
    public List<String> labels() {
        return extras().labels();
    }

    /** Returns the {@linkplain JobExtras#result() result} of a finished job, or {@code null}. */
    public @Nullable String result() {
        return extras().result();
    }

    /**
     * Returns the newest {@linkplain JobExtras#log() log lines} of an attempt; {@code null} if there are none. These
     * may be the lines of an earlier attempt.
     */
    public @Nullable JobLog log() {
        return extras().log();
    }

    /** Returns the id of the previous job in the chain; {@code null} if there is none. */
    public @Nullable JobId follows() {
        return extras().follows();
    }

    /**
     * Returns the text form of the job's {@link io.delayjob.schedule.Schedule}; {@code null} if the job has no
     * schedule.
     */
    public @Nullable String schedule() {
        return plan.schedule();
    }

    /** Returns the text form of the job's own {@link io.delayjob.schedule.RetryPolicy}, or {@code null}. */
    public @Nullable String retry() {
        return plan.retry();
    }

    /** Returns the time at which the job was scheduled. Offsets and calendar periods count from this time. */
    public Instant scheduledAt() {
        return plan.scheduledAt();
    }

    /** Returns the number of this run, from 1. */
    public int run() {
        return plan.run();
    }

    /** Returns the planned time of this run. Retries do not change this time. */
    public Instant plannedAt() {
        return plan.plannedAt();
    }

    /** Returns the due time of the next attempt, including jitter and the retry delay. */
    public Instant dueAt() {
        return plan.dueAt();
    }

    /** Returns the stored state. */
    public JobState state() {
        return progress.state();
    }

    /** Returns the fence token. Every transition checks this token and sets a new token. */
    public long token() {
        return progress.token();
    }

    /** Returns the number of the instance that has claimed the job; 0 if the job is not claimed. */
    public long owner() {
        return progress.owner();
    }

    /** Returns the time at which the last attempt was {@linkplain JobProgress#startedAt() claimed}, or {@code null}. */
    public @Nullable Instant startedAt() {
        return progress.startedAt();
    }

    /**
     * Tells whether a cancellation was requested during an attempt. After such a request, no further attempt follows.
     */
    public boolean cancelRequested() {
        return progress.cancelRequested();
    }

    /**
     * Tells whether the last attempt awaits an {@linkplain AnswerTicket answer from outside}. While the attempt awaits
     * the answer, the due time is the deadline of the answer. The result is {@code true} until the attempt has ended,
     * even after the deadline.
     */
    public boolean awaiting() {
        return progress.awaiting();
    }

    /** Tells whether an attempt is under way: the job is claimed, or awaits an answer from outside. */
    public boolean isUnderWay() {
        return state() == JobState.RUNNING || awaiting();
    }

    /**
     * Returns the deadline of the awaited answer. Returns {@code null} if no answer is awaited, or if an instance has
     * claimed the job.
     */
    public @Nullable Instant awaitedUntil() {
        return awaiting() && state() != JobState.RUNNING ? dueAt() : null;
    }

    /** Returns the number of {@linkplain AttemptCounts#attempt() claims} so far, in all runs of the job. */
    public int attempt() {
        return progress.counts().attempt();
    }

    /** Returns the number of failed and lost attempts of this {@linkplain AttemptCounts#failures() run}. */
    public int failures() {
        return progress.counts().failures();
    }

    /** Returns the number of attempts of this run that were lost because their instance died or did not respond. */
    public int rescues() {
        return progress.counts().rescues();
    }

    /**
     * Returns the number of attempts that may still be under way although the row has changed. The attempts of all runs
     * are counted.
     */
    public int inDoubt() {
        return progress.counts().inDoubt();
    }

    /**
     * Returns the time at which the handler was called in the {@linkplain JobEnd#calledAt() attempt that ended the
     * job}.
     */
    public @Nullable Instant calledAt() {
        return end.calledAt();
    }

    /** Returns the time at which the job ended; {@code null} for an unfinished job. */
    public @Nullable Instant endedAt() {
        return end.endedAt();
    }

    /** Returns why the job {@linkplain JobState#FAILED failed} or expired, or {@code null}. */
    public @Nullable Failure failure() {
        return end.failure();
    }

    /**
     * Returns the state at this time. The stored state of a waiting job is {@link JobState#DELAYED}. For such a job,
     * the result is {@link JobState#AWAITING} if the job awaits an answer, and {@link JobState#READY} if the job is
     * due. In all other cases, the result is the stored state.
     */
    public JobState stateAt(Instant now) {
        if (state() != JobState.DELAYED) {
            return state();
        }
        return awaiting() ? JobState.AWAITING : dueAt().isAfter(now) ? JobState.DELAYED : JobState.READY;
    }

    /** Returns a copy of the job, with the {@linkplain #stateAt state that the job has at this time}. */
    public Job asOf(Instant now) {
        JobState seen = stateAt(now);
        return seen == state() ? this : with(progress.in(seen));
    }

    /** Returns {@code true} if no attempt of this run has failed or been lost so far. */
    public boolean isFirstAttemptOfRun() {
        return progress.counts().isFirstAttemptOfRun();
    }

    /** Returns a copy for a later run with this planned time. The runs in between are skipped. */
    public Job atRun(int run, Instant plannedAt) {
        return with(plan.atRun(run, plannedAt));
    }

    /** Returns a copy in which the handler was called at this time. */
    public Job called(Instant at) {
        return with(new JobEnd(at, endedAt(), failure()));
    }

    /**
     * Returns a copy without payload if the payload is longer than this number of UTF-8 bytes. Otherwise, returns this
     * job.
     */
    public Job readUpTo(long maxPayloadBytes) {
        JobTask read = task.readUpTo(maxPayloadBytes);
        return read == task ? this : with(read);
    }

    /** Returns a copy in another partition. */
    public Job in(Partition newPartition) {
        return new Job(id, newPartition, task, plan, progress, end);
    }

    /** Returns a copy with this task. */
    public Job with(JobTask newTask) {
        return new Job(id, partition, newTask, plan, progress, end);
    }

    /** Returns a copy with this plan. */
    public Job with(JobPlan newPlan) {
        return new Job(id, partition, task, newPlan, progress, end);
    }

    /** Returns a copy with this progress. */
    public Job with(JobProgress newProgress) {
        return new Job(id, partition, task, plan, newProgress, end);
    }

    /** Returns a copy with this end. */
    public Job with(JobEnd newEnd) {
        return new Job(id, partition, task, plan, progress, newEnd);
    }

    /** Returns the part of the job that the timing wheel needs. */
    public DueRow toDueRow() {
        return new DueRow(id, partition, name(), dueAt().toEpochMilli(), token(), task.keys());
    }
}
