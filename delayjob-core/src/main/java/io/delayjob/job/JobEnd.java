package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Says how and when a job has ended. All times of this record are store times. Immutable.
 *
 * @param calledAt time at which the attempt that ended the job called the handler. {@code null} for an unfinished job,
 *     and for a job that ended without a call. The lateness of that attempt is the time from {@link Job#dueAt()} to
 *     this time
 * @param endedAt time at which the job ended; {@code null} for an unfinished job
 * @param failure the reason why the job {@linkplain JobState#FAILED failed} or expired; {@code null} if it has done
 *     neither
 */
public record JobEnd(
        @Nullable Instant calledAt,
        @Nullable Instant endedAt,
        @Nullable Failure failure) {

    /** The value for an unfinished job. */
    public static final JobEnd NONE = new JobEnd(null, null, null);
}
