package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a job: the part of a {@link Job} that every transition changes. Immutable.
 *
 * @param state the stored state; {@link JobState#READY} only in a job that was made {@linkplain Job#asOf as of} a time
 * @param token the fence: new at every transition, and every transition is conditional on it
 * @param owner the number of the instance that claimed it; 0 while no instance holds it
 * @param startedAt claim time of the last attempt, or its due time if it was claimed earlier; {@code null} if there was
 *     no attempt
 * @param cancelRequested whether no further attempt may follow the running one
 * @param awaiting whether its last attempt awaits an answer from outside; its due time is the deadline. Stays while the
 *     job is claimed because the deadline has come
 * @param counts its attempts
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

    /** Returns the same progress in another state. */
    public JobProgress in(JobState newState) {
        return new JobProgress(newState, token, owner, startedAt, cancelRequested, awaiting, counts);
    }

    /** Returns the same progress with another token. */
    public JobProgress fencedBy(long newToken) {
        return new JobProgress(state, newToken, owner, startedAt, cancelRequested, awaiting, counts);
    }

    /** Returns the same progress with other counts. */
    public JobProgress with(AttemptCounts newCounts) {
        return new JobProgress(state, token, owner, startedAt, cancelRequested, awaiting, newCounts);
    }

    /** Returns the same progress with a requested cancellation. */
    public JobProgress withCancelRequest() {
        return new JobProgress(state, token, owner, startedAt, true, awaiting, counts);
    }

    /** Returns the same progress of a job that does or does not await an answer from outside. */
    public JobProgress awaiting(boolean newAwaiting) {
        return new JobProgress(state, token, owner, startedAt, cancelRequested, newAwaiting, counts);
    }
}
