package io.delayjob.schedule;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** Represents the times that match a cron expression. Implementations are immutable. */
@FunctionalInterface
public interface CronSequence {

    /**
     * Returns the first match after the given time, in the time zone of that time.
     *
     * @return the match, or {@code null} if there is no further match
     */
    @Nullable
    ZonedDateTime next(ZonedDateTime after);
}
