package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link Job} that every transition changes. Immutable.
 *
 * @param state the stored state. In a copy that {@link Job#asOf} returns, the state may also be {@link JobState#READY}
 *     or {@link JobState#AWAITING}
 * @param token the fence token: every transition checks this token and sets a new token
 * @param owner the number of the instance that has claimed the job; 0 if the job is not claimed
 * @param startedAt when the last attempt was claimed. If the claim was before the due time, this value is the due time.
 *     If there was no attempt, it is {@code null}
 * @param cancelRequested whether a cancellation was requested during an attempt; if so, no further attempt follows
 * @param awaiting whether the last attempt awaits an answer from outside. The due time is then the answer's deadline.
 *     After the deadline, an instance may claim the job. While the instance holds this claim, the value is still {@code
 *     true}
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

    /** Returns a copy in another state. */
    public JobProgress in(JobState newState) {
        return new JobProgress(newState, token, owner, startedAt, cancelRequested, awaiting, counts);
    }

    /** Returns a copy with another token. */
    public JobProgress fencedBy(long newToken) {
        return new JobProgress(state, newToken, owner, startedAt, cancelRequested, awaiting, counts);
    }

    /** Returns a copy with other counts. */
    public JobProgress with(AttemptCounts newCounts) {
        return new JobProgress(state, token, owner, startedAt, cancelRequested, awaiting, newCounts);
    }

    /** Returns a copy with a requested cancellation. */
    public JobProgress withCancelRequest() {
        return new JobProgress(state, token, owner, startedAt, true, awaiting, counts);
    }

    /** Returns a copy that says whether the job awaits an answer from outside. */
    public JobProgress awaiting(boolean newAwaiting) {
        return new JobProgress(state, token, owner, startedAt, cancelRequested, newAwaiting, counts);
    }
}
