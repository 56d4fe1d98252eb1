package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a job: the part of a {@link Job} that every transition changes. Immutable.
 *
 * @param state the stored state; {@link Job#asOf} may also set {@link JobState#READY} or {@link JobState#AWAITING}
 * @param token the fence token: every transition checks it and sets a new one
 * @param owner the number of the instance that has claimed the job; 0 if no instance has
 * @param startedAt claim time of the last attempt, or its due time if it was claimed earlier; {@code null} if there was
 *     no attempt
 * @param cancelRequested whether a cancellation was requested while an attempt runs; no further attempt follows
 * @param awaiting whether its last attempt awaits an answer from outside; the due time is then the deadline. Stays true
 *     while the job is claimed because the deadline has passed
 * @param counts the numbers of its attempts
 */
public record JobProgress(
        JobState state,
        long token,
        long owner,
        @Nullable Instant startedAt,
        boolean cancelRequested,
        boolean awaiting,
        AttemptCounts counts) {

    /** Creates the progress of a job that awaits no answer. */
    public JobProgress(
            JobState state,
            long token,
            long owner,
            @Nullable Instant startedAt,
            boolean cancelRequested,
            AttemptCounts counts) {
        this(state, token, owner, startedAt, cancelRequested, false, counts);
    }

    /** Returns the progress of a job that waits for its first attempt. */
    public static JobProgress first(long token) {
        return new JobProgress(JobState.DELAYED, token, 0, null, false, AttemptCounts.NONE);
    }

    /** Returns a copy of this progress in another state. */
    public JobProgress in(JobState newState) {
        return new JobProgress(newState, token, owner, startedAt, cancelRequested, awaiting, counts);
    }

    /** Returns a copy of this progress with another token. */
    public JobProgress fencedBy(long newToken) {
        return new JobProgress(state, newToken, owner, startedAt, cancelRequested, awaiting, counts);
    }

    /** Returns a copy of this progress with other counts. */
    public JobProgress with(AttemptCounts newCounts) {
        return new JobProgress(state, token, owner, startedAt, cancelRequested, awaiting, newCounts);
    }

    /** Returns a copy of this progress with a requested cancellation. */
    public JobProgress withCancelRequest() {
        return new JobProgress(state, token, owner, startedAt, true, awaiting, counts);
    }

    /** Returns a copy of this progress that awaits an answer from outside, or no longer does. */
    public JobProgress awaiting(boolean newAwaiting) {
        return new JobProgress(state, token, owner, startedAt, cancelRequested, newAwaiting, counts);
    }
}
