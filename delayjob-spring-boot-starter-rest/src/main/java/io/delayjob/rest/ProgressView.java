package io.delayjob.rest;

import io.delayjob.store.Vitals;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a running attempt.
 *
 * @param total absent if it is unknown
 * @param note absent if there is none
 */
record ProgressView(
        int attempt,
        long done,
        @Nullable Long total,
        @Nullable String note) {

    static @Nullable ProgressView of(Vitals.@Nullable Progress told) {
        return told == null
                ? null
                : new ProgressView(
                        told.attempt(),
                        told.done(),
                        told.total() == 0 ? null : told.total(),
                        told.note().isEmpty() ? null : told.note());
    }
}
