package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of the attempt log.
 *
 * @param job whose attempt it was
 * @param run its run
 * @param attempt its {@linkplain Job#attempt() number}; 0 for runs that were skipped or merged
 * @param outcome the {@linkplain JobOutcome#label() outcome in a word}, or {@code MERGED}
 * @param owner the number of the instance
 * @param dueAt when it was due; {@code null} for runs that were skipped or merged, and for lines of older versions
 * @param startedAt when it was claimed, or was due where it was claimed ahead of its time
 * @param calledAt when its handler was called; {@code null} if it was not, and for lines of older versions
 * @param endedAt when its outcome was known
 * @param failure why it failed, or what was skipped
 */
public record AttemptRecord(
        JobId job,
        int run,
        int attempt,
        String outcome,
        long owner,
        @Nullable Instant dueAt,
        @Nullable Instant startedAt,
        @Nullable Instant calledAt,
        Instant endedAt,
        @Nullable Failure failure) {}
