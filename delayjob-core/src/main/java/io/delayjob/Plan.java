package io.delayjob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a job runs first; whole milliseconds in store time.
 *
 * @param scheduledAt when it was scheduled
 * @param plannedAt what its first run is planned for
 * @param dueAt when its first attempt is due, jitter included
 * @param schedule the text of its schedule; {@code null} for a one-shot
 */
record Plan(
        Instant scheduledAt,
        Instant plannedAt,
        Instant dueAt,
        @Nullable String schedule) {

    static Plan once(Instant scheduledAt, Instant dueAt) {
        return new Plan(scheduledAt, dueAt, dueAt, null);
    }
}
