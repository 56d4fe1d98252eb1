package io.delayjob.schedule;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** The times that match a cron expression. Implementations are immutable. */
@FunctionalInterface
public interface CronSequence {

    /**
     * Returns the next match strictly after a time, in that time's zone.
     *
     * @return the match, or {@code null} if there is no further match
     */
    @Nullable
    ZonedDateTime next(ZonedDateTime after);
}
