package io.delayjob.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Contains one job as it was read from its row, in four parts. Each part has several components. For each of them, this
 * type also has a method. Immutable.
 *
 * @param id the job's identity
 * @param partition the queue and partition of the job's row
 * @param task the work of the job
 * @param plan the time of the job
 * @param progress the progress of the job
 * @param end the end of the job; {@link JobEnd#NONE} for an unfinished job
 */
public record Job(JobId id, Partition partition, JobTask task, JobPlan plan, JobProgress progress, JobEnd end) {

    /** The key of the only job of a self-starting handler. */
    public static final String DECLARED_KEY = "@schedule";

    /** Returns the handler's name. */
    public String name() {
        return task.name();
    }

    /**
     * Returns the key; {@code null} if the job has no key. At most one unfinished job has a given pair of name and key.
     */
    public @Nullable String key() {
        return task.key();
    }

    /** Returns the {@linkplain JobTask#payload() arguments as JSON}. */
    public @Nullable String payload() {
        return task.payload();
    }

    /**
     * Returns the reason why the stored payload was not read. {@code null} means that the payload was read, or that the
     * job has no payload.
     */
    public @Nullable OversizePayload oversize() {
        return task.oversize();
    }

    /** Returns the trace context of the call that scheduled the job (W3C traceparent). */
    public @Nullable String trace() {
        return task.trace();
    }

    /** Returns the attributes that most jobs do not have. */
    public JobExtras extras() {
        return JobExtras.parse(task.extras());
    }

    /**
     * Returns the latest time at which an attempt of this run may start. Only a job that {@linkplain
     * JobExtras#expiresAfter() states} an expiry of its own has such a time. For any other job, the result is {@code
     * null}.
     */
    public @Nullable Instant expiresAt() {
        Duration expiresAfter = extras().expiresAfter();
        return expiresAfter == null ? null : plannedAt().plus(expiresAfter);
    }

    /**
     * Returns when a finished job leaves the history, if its handler {@linkplain JobExtras#keepFor() states} how long
     * the job is kept. In all other cases, the result is {@code null}.
     */
    public @Nullable Instant keptUntil() {
        Duration keepFor = state() == JobState.FINISHED ? JobExtras.keepForOf(task.extras()) : null;
        Instant ended = endedAt();
        return keepFor == null || ended == null ? null : ended.plus(keepFor);
    }

    /** Returns the {@linkplain JobExtras#mutex() mutex}; {@code null} if the job has no mutex. */
    public @Nullable String mutex() {
        ClaimKeys keys = task.keys();
        return keys == null ? null : keys.mutex();
    }

    /** Returns the {@linkplain JobExtras#rateKey() rate key}; {@code null} if the job has no rate key. */
    public @Nullable String rateKey() {
        ClaimKeys keys = task.keys();
        return keys == null ? null : keys.rateKey();
    }

    /** Returns the {@linkplain JobExtras#fairKey() fair key}; {@code null} if the job has no fair key. */
    public @Nullable String fairKey() {
        ClaimKeys keys = task.keys();
        return keys == null ? null : keys.fairKey();
    }

    /** Returns the labels, in alphabetical order. */
    public List<String> labels() {
        return extras().labels();
    }

    /** Returns the {@linkplain JobExtras#result() result} of a finished job; {@code null} if there is no result. */
    public @Nullable String result() {
        return extras().result();
    }

    /**
     * Returns the newest lines that an attempt has {@linkplain JobExtras#log() left}; {@code null} if no attempt has
     * left any. If the last attempts have logged nothing, these are the lines of an earlier attempt.
     */
    public @Nullable JobLog log() {
        return extras().log();
    }

    /** Returns the id of the previous job in the chain; {@code null} if there is none. */
    public @Nullable JobId follows() {
        return extras().follows();
    }

    /**
     * Returns the text form of the job's {@link io.delayjob.schedule.Schedule}; {@code null} if the job does not
     * repeat.
     */
    public @Nullable String schedule() {
        return plan.schedule();
    }

    /**
     * Returns the text form of the job's own {@link io.delayjob.schedule.RetryPolicy}; {@code null} if the handler's
     * policy applies.
     */
    public @Nullable String retry() {
        return plan.retry();
    }

    /** Returns when the job was scheduled. Offsets and calendar periods count from this time. */
    public Instant scheduledAt() {
        return plan.scheduledAt();
    }

    /** Returns the number of this run, from 1. */
    public int run() {
        return plan.run();
    }

    /** Returns the planned time of this run, which retries do not change. */
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

    /** Returns the fence token. Every transition checks the token and sets a new one. */
    public long token() {
        return progress.token();
    }

    /** Returns the number of the instance that has claimed the job; 0 if the job is not claimed. */
    public long owner() {
        return progress.owner();
    }

    /**
     * Returns when the last attempt was {@linkplain JobProgress#startedAt() claimed}; {@code null} if there was no
     * attempt.
     */
    public @Nullable Instant startedAt() {
        return progress.startedAt();
    }

    /**
     * Tells whether a cancellation of the job was requested during an attempt. After the request, no further attempt
     * follows.
     */
    public boolean cancelRequested() {
        return progress.cancelRequested();
    }

    /**
     * Tells whether the last attempt of the job awaits an {@linkplain AnswerTicket answer from outside}. The due time
     * of a job that awaits an answer is the deadline of the answer. When the deadline passes, an instance claims the
     * job in order to end the attempt. Until the attempt has ended, the result is still {@code true}.
     */
    public boolean awaiting() {
        return progress.awaiting();
    }

    /** Tells whether an attempt is under way: the job is claimed, or awaits an answer from outside. */
    public boolean isUnderWay() {
        return state() == JobState.RUNNING || awaiting();
    }

    /**
     * Returns the deadline of the answer that the job awaits. Returns {@code null} if the job awaits no answer, or if
     * an instance has claimed the job because the deadline has passed.
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

    /** Returns the number of attempts of this run that were lost with their instance. */
    public int rescues() {
        return progress.counts().rescues();
    }

    /**
     * Returns the number of attempts, of any run, that may still be under way although the row has changed since their
     * start.
     */
    public int inDoubt() {
        return progress.counts().inDoubt();
    }

    /** Returns when the handler was called in the {@linkplain JobEnd#calledAt() attempt that ended the job}. */
    public @Nullable Instant calledAt() {
        return end.calledAt();
    }

    /** Returns when the job ended; {@code null} for an unfinished job. */
    public @Nullable Instant endedAt() {
        return end.endedAt();
    }

    /** Returns why the job {@linkplain JobState#FAILED failed} or expired; {@code null} if it has done neither. */
    public @Nullable Failure failure() {
        return end.failure();
    }

    /**
     * Returns the state at the time {@code now}. The result is {@link JobState#AWAITING} for a job that awaits an
     * answer, {@link JobState#READY} for a waiting job that is due, and otherwise the stored state.
     */
    public JobState stateAt(Instant now) {
        if (state() != JobState.DELAYED) {
            return state();
        }
        return awaiting() ? JobState.AWAITING : dueAt().isAfter(now) ? JobState.DELAYED : JobState.READY;
    }

    /** Returns a copy of this job with its {@linkplain #stateAt state at the time} {@code now}. */
    public Job asOf(Instant now) {
        JobState seen = stateAt(now);
        return seen == state() ? this : with(progress.in(seen));
    }

    /** Returns {@code true} if no attempt of this run has failed or been lost so far. */
    public boolean isFirstAttemptOfRun() {
        return progress.counts().isFirstAttemptOfRun();
    }

    /**
     * Returns a copy of this job for a later run with this planned time. The runs before that later run will not take
     * place.
     */
    public Job atRun(int run, Instant plannedAt) {
        return with(plan.atRun(run, plannedAt));
    }

    /** Returns a copy of this job that says when its handler was called. */
    public Job called(Instant at) {
        return with(new JobEnd(at, endedAt(), failure()));
    }

    /**
     * Returns this job; if its payload is longer than {@code maxPayloadBytes} bytes of UTF-8, returns a copy without
     * the payload.
     */
    public Job readUpTo(long maxPayloadBytes) {
        JobTask read = task.readUpTo(maxPayloadBytes);
        return read == task ? this : with(read);
    }

    /** Returns a copy of this job in another partition. */
    public Job in(Partition newPartition) {
        return new Job(id, newPartition, task, plan, progress, end);
    }

    /** Returns a copy of this job with another task. */
    public Job with(JobTask newTask) {
        return new Job(id, partition, newTask, plan, progress, end);
    }

    /** Returns a copy of this job with another plan. */
    public Job with(JobPlan newPlan) {
        return new Job(id, partition, task, newPlan, progress, end);
    }

    /** Returns a copy of this job with the given progress. */
    public Job with(JobProgress newProgress) {
        return new Job(id, partition, task, plan, newProgress, end);
    }

    /** Returns a copy of this job with another end. */
    public Job with(JobEnd newEnd) {
        return new Job(id, partition, task, plan, progress, newEnd);
    }

    /** Returns the part of the job that the timing wheel needs. */
    public DueRow toDueRow() {
        return new DueRow(id, partition, name(), dueAt().toEpochMilli(), token(), task.keys());
    }
}
