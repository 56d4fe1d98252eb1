package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How and when a job has ended. All times are store times. Immutable.
 *
 * @param calledAt when the last attempt called the handler; {@code null} for an unfinished job, or if the handler was
 *     not called
 * @param endedAt when the job ended; {@code null} for an unfinished job
 * @param failure why the job {@linkplain JobState#FAILED failed} or expired, or {@code null}
 */
public record JobEnd(
        @Nullable Instant calledAt,
        @Nullable Instant endedAt,
        @Nullable Failure failure) {

    /** The value for an unfinished job. */
    public static final JobEnd NONE = new JobEnd(null, null, null);
}
