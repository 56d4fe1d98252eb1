package io.delayjob;

import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * Schedules many jobs of one handler. All jobs are written in one transaction, in batches. The results are in the
 * order of the payloads. Immutable.
 *
 * @param <P> the type of the handler's payload parameter
 */
@CheckReturnValue
public interface BulkSpec<P> {

    /** Sets the key of each job. An unfinished job that has the same key is kept. */
    default BulkSpec<P> key(Function<? super P, ?> key) {
        return key(key, OnExisting.KEEP);
    }

    /** Sets the key of each job, and what happens if an unfinished job has that key. */
    BulkSpec<P> key(Function<? super P, ?> key, OnExisting onExisting);

    /** As {@link ScheduleSpec#queue}. */
    BulkSpec<P> queue(String queue);

    /** As {@link ScheduleSpec#retry}. */
    BulkSpec<P> retry(RetryPolicy policy);

    /** Spreads the due times evenly over this duration. The first job is due at the time given next. */
    BulkSpec<P> spreadOver(Duration duration);

    /** Makes all jobs due at once. */
    @CanIgnoreReturnValue
    List<Scheduled> now();

    /** As {@link ScheduleSpec#after}. */
    @CanIgnoreReturnValue
    List<Scheduled> after(Duration delay);

    /** As {@link ScheduleSpec#at}. */
    @CanIgnoreReturnValue
    List<Scheduled> at(Instant instant);
}
