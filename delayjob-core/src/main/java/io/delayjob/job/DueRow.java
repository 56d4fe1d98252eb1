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
 * @param keys the keys that an engine must know before it claims the row; {@code null} if the job has no such keys
 */
public record DueRow(
        JobId id,
        Partition partition,
        String name,
        long dueMillis,
        long token,
        @Nullable ClaimKeys keys) {

    /** Returns the job's {@linkplain JobExtras#mutex() mutex}; {@code null} if it has none. */
    public @Nullable String mutex() {
        return keys == null ? null : keys.mutex();
    }

    /** Returns the {@linkplain JobExtras#rateKey() key} of the job's rate; {@code null} if it has none. */
    public @Nullable String rateKey() {
        return keys == null ? null : keys.rateKey();
    }

    /** Returns the job's {@linkplain JobExtras#fairKey() fair key}; {@code null} if it has none. */
    public @Nullable String fairKey() {
        return keys == null ? null : keys.fairKey();
    }
}
