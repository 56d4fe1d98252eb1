package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of the attempt log. All times are store times.
 *
 * @param attempt the {@linkplain Job#attempt() number} of the attempt; 0 for skipped or merged runs
 * @param outcome the {@linkplain JobOutcome#label() outcome as one word}, or {@code MERGED} for merged runs
 * @param owner the number of the instance that made the attempt
 * @param dueAt the due time. It is {@code null} for skipped or merged runs, and if an older version wrote the line
 * @param startedAt the time of the claim. If the job was claimed before its due time, this value is the due time
 * @param calledAt the time of the handler's call. It is {@code null} if the handler was not called, or if an older
 *     version wrote the line
 * @param endedAt the time at which the outcome was known
 * @param failure the reason for the failure, or a text about the skipped runs
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
