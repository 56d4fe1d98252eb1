package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Contains the progress of a job: the part of a {@link Job} that every transition changes. Immutable.
 *
 * @param state the stored state; {@link Job#asOf} may also set {@link JobState#READY} or {@link JobState#AWAITING}
 * @param token the fence token: every transition checks this token and sets a new one
 * @param owner the number of the instance that has claimed the job; 0 if the job is not claimed
 * @param startedAt claim time of the last attempt. If the job was claimed before it was due, this is the due time
 *     instead. {@code null} if there was no attempt
 * @param cancelRequested whether a cancellation was requested while an attempt runs; after the request, no further
 *     attempt follows
 * @param awaiting whether the job's last attempt awaits an answer from outside; the due time is then the deadline of
 *     the answer. If the deadline has passed and an instance has claimed the job, the value is still true
 * @param counts numbers of the job's attempts
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

    /** Returns a copy of this progress that says whether the job awaits an answer from outside. */
    public JobProgress awaiting(boolean newAwaiting) {
        return new JobProgress(state, token, owner, startedAt, cancelRequested, newAwaiting, counts);
    }
}
