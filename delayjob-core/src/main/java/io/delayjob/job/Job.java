package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One job as its row stood when it was read.
 *
 * @param id its identity
 * @param partition where it lies: queue and partition
 * @param name the handler's name
 * @param key at most one unfinished job has a given (name, key); {@code null}: no such limit
 * @param payload the arguments as JSON, by parameter name; {@code null} when the handler takes none, or when an ended
 *     job no longer keeps it, or when it is {@code oversize}
 * @param oversize why the stored payload was not read; {@code null} when it was, or when there is none
 * @param schedule the readable text of its {@link io.delayjob.schedule.Schedule}; {@code null} for a one-shot
 * @param retry the readable text of its own {@link io.delayjob.schedule.RetryPolicy}; {@code null}: the handler's
 * @param trace the trace context of the call that scheduled it (W3C traceparent)
 * @param state the stored state, with {@link JobState#READY} derived by whoever knows the time
 * @param token the fence: new at every transition, and every transition is conditional on it
 * @param scheduledAt when it was scheduled, in store time: offsets and calendar periods count from here
 * @param plannedAt when this run was planned for; retries do not move it
 * @param dueAt when the next attempt is due, jitter and retry delay included
 * @param run the number of this run, from 1
 * @param attempt claims of this job so far, over all its runs, this one included: numbers may be skipped, but never
 *     fall and never come again, so that (id, attempt) names an attempt for ever
 * @param failures failed and lost attempts of this run, as the retry policy counts them, before the attempt that ended
 *     it
 * @param rescues how many of these were lost with their instance
 * @param inDoubt attempts, of any run, that may still be under way somewhere although the row moved on
 * @param cancelRequested whether no further attempt may follow the running one
 * @param owner the number of the instance that claimed it; 0 when nobody holds it
 * @param startedAt when the last attempt was claimed, or was due where it was claimed ahead of its time
 * @param calledAt when the handler was called in the attempt that ended the job; {@code null} for an unfinished job, and
 *     for one that ended without a call. The lateness of that attempt is the time from {@code dueAt} to here
 * @param endedAt when it ended; {@code null} for an unfinished job
 * @param failure why it {@linkplain JobState#FAILED failed}
 */
public record Job(
        JobId id,
        Partition partition,
        String name,
        @Nullable String key,
        @Nullable String payload,
        @Nullable OversizePayload oversize,
        @Nullable String schedule,
        @Nullable String retry,
        @Nullable String trace,
        JobState state,
        long token,
        Instant scheduledAt,
        Instant plannedAt,
        Instant dueAt,
        int run,
        int attempt,
        int failures,
        int rescues,
        int inDoubt,
        boolean cancelRequested,
        long owner,
        @Nullable Instant startedAt,
        @Nullable Instant calledAt,
        @Nullable Instant endedAt,
        @Nullable Failure failure) {

    /** The key of the one job of a handler that is declared to start by itself. */
    public static final String DECLARED_KEY = "@schedule";

    /** The state as of {@code now}: {@link JobState#READY} for what waits and is due. */
    public JobState stateAt(Instant now) {
        return state == JobState.DELAYED && !dueAt.isAfter(now) ? JobState.READY : state;
    }

    /** The same job with its {@linkplain #stateAt state as of} {@code now}. */
    public Job asOf(Instant now) {
        JobState seen = stateAt(now);
        return seen == state ? this : with(payload, oversize, seen, run, plannedAt, calledAt);
    }

    /** Whether no attempt of this run has ended or been lost so far. */
    public boolean isFirstAttemptOfRun() {
        return failures == 0 && rescues == 0;
    }

    /** The same job, its occurrences up to {@code run} used up and {@code run} planned for {@code plannedAt}. */
    public Job atRun(int run, Instant plannedAt) {
        return with(payload, oversize, state, run, plannedAt, calledAt);
    }

    /** The same job, its handler called then. */
    public Job called(Instant at) {
        return with(payload, oversize, state, run, plannedAt, at);
    }

    /** The same job as a store answers it that reads payloads of at most {@code maxPayloadBytes} bytes of UTF-8. */
    public Job readUpTo(long maxPayloadBytes) {
        OversizePayload tooLong = payload == null ? null : OversizePayload.of(payload, maxPayloadBytes);
        return tooLong == null ? this : with(null, tooLong, state, run, plannedAt, calledAt);
    }

    private Job with(
            @Nullable String payload,
            @Nullable OversizePayload oversize,
            JobState state,
            int run,
            Instant plannedAt,
            @Nullable Instant calledAt) {
        return new Job(
                id,
                partition,
                name,
                key,
                payload,
                oversize,
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

    /** What the wheel needs of it. */
    public DueRow toDueRow() {
        return new DueRow(id, partition, name, dueAt.toEpochMilli(), token);
    }
}
