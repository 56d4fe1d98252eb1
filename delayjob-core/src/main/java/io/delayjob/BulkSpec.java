package io.delayjob;

import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * Scheduling many jobs of one handler. All are written in one transaction, in batches; the answers come in the order of
 * the payloads. Immutable.
 *
 * @param <P> the type of the handler's payload parameter
 */
@CheckReturnValue
public interface BulkSpec<P> {

    /** The key of each job; an unfinished job of the same key is kept. */
    default BulkSpec<P> key(Function<? super P, ?> key) {
        return key(key, OnExisting.KEEP);
    }

    /** The key of each job, and what to do when there is an unfinished job of that key. */
    BulkSpec<P> key(Function<? super P, ?> key, OnExisting onExisting);

    /** As {@link ScheduleSpec#queue}. */
    BulkSpec<P> queue(String queue);

    /** As {@link ScheduleSpec#retry}. */
    BulkSpec<P> retry(RetryPolicy policy);

    /** Spreads the due times evenly over this long from the time given next: the first job at its start. */
    BulkSpec<P> spreadOver(Duration duration);

    /** Due at once. */
    @CanIgnoreReturnValue
    List<Scheduled> now();

    /** As {@link ScheduleSpec#after}. */
    @CanIgnoreReturnValue
    List<Scheduled> after(Duration delay);

    /** As {@link ScheduleSpec#at}. */
    @CanIgnoreReturnValue
    List<Scheduled> at(Instant instant);
}
