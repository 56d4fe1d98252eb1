package io.delayjob.schedule;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** The times that match a cron expression. Implementations are immutable. */
@FunctionalInterface
public interface CronSequence {

    /** Returns the first match after the given time, in the zone of that time; {@code null} if there is none. */
    @Nullable
    ZonedDateTime next(ZonedDateTime after);
}
