package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job about to be written. The fields are those of {@link Job}.
 *
 * @param onExisting what to do when an unfinished job has the same name and key
 */
public record NewJob(
        JobId id,
        Partition partition,
        String name,
        @Nullable String key,
        OnExisting onExisting,
        @Nullable String payload,
        @Nullable String schedule,
        @Nullable String retry,
        @Nullable String trace,
        long token,
        Instant scheduledAt,
        Instant plannedAt,
        Instant dueAt) {

    /** What the wheel needs of it. */
    public DueRow toDueRow() {
        return new DueRow(id, partition, name, dueAt.toEpochMilli(), token);
    }
}
