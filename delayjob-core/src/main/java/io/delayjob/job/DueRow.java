package io.delayjob.job;

import org.jspecify.annotations.Nullable;

/**
 * Contains values of a waiting row. The timing wheel needs these values.
 *
 * @param dueMillis due time in store time, milliseconds since the epoch
 * @param token the row's token; each change of the state or due time sets a new token
 * @param keys the keys that an engine must know before a claim; {@code null} if the job has none
 */
public record DueRow(
        JobId id,
        Partition partition,
        String name,
        long dueMillis,
        long token,
        @Nullable ClaimKeys keys) {

    /** Returns the job's {@linkplain JobExtras#mutex() mutex}; {@code null} if the job has no mutex. */
    public @Nullable String mutex() {
        return keys == null ? null : keys.mutex();
    }

    /** Returns the job's {@linkplain JobExtras#rateKey() rate key}; {@code null} if the job has no rate key. */
    public @Nullable String rateKey() {
        return keys == null ? null : keys.rateKey();
    }

    /** Returns the job's {@linkplain JobExtras#fairKey() fair key}; {@code null} if the job has no fair key. */
    public @Nullable String fairKey() {
        return keys == null ? null : keys.fairKey();
    }
}
