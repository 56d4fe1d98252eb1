package io.delayjob.schedule;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** A cron expression that has been read: the times that match it. Implementations are immutable. */
@FunctionalInterface
public interface CronSequence {

    /**
     * The next match strictly after a time, in that time's zone.
     *
     * @return null if nothing matches any more
     */
    @Nullable
    ZonedDateTime next(ZonedDateTime after);
}
