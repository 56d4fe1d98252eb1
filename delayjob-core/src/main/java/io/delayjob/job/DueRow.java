package io.delayjob.job;

import org.jspecify.annotations.Nullable;

/**
 * The values of a waiting row that the wheel needs.
 *
 * @param id the job's id
 * @param partition the partition of the row
 * @param name the handler's name
 * @param dueMillis its due time in store time, milliseconds since the epoch
 * @param token the row's token, which belongs to one state and one due time
 * @param mutex the job's {@linkplain JobExtras#mutex() mutex}; {@code null} if it has none
 */
public record DueRow(
        JobId id,
        Partition partition,
        String name,
        long dueMillis,
        long token,
        @Nullable String mutex) {}
