package io.delayjob;

import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Schedules many jobs of one handler. All jobs are written in one transaction, in batches. The results are in the order
 * of the payloads. Immutable.
 */
@CheckReturnValue
public interface BulkSpec<P> {

    /** Sets the key of each job. If an unfinished job has the same key, that job is kept. */
    default BulkSpec<P> key(Function<? super P, ?> key) {
        return key(key, OnExisting.KEEP);
    }

    /** Sets the key of each job, and states what happens if an unfinished job has that key. */
    BulkSpec<P> key(Function<? super P, ?> key, OnExisting onExisting);

    /** Sets the queue, as {@link ScheduleSpec#queue} does. */
    BulkSpec<P> queue(String queue);

    /** Sets the retry policy, as {@link ScheduleSpec#retry} does. */
    BulkSpec<P> retry(RetryPolicy policy);

    /** Limits the time until an attempt starts, as {@link ScheduleSpec#expiresAfter} does. */
    BulkSpec<P> expiresAfter(Duration expiresAfter);

    /** Sets the mutex of each job, as {@link ScheduleSpec#mutex} does. */
    BulkSpec<P> mutex(Function<? super P, ?> mutex);

    /** Sets the rate key of each job, as {@link ScheduleSpec#rateKey} does. */
    BulkSpec<P> rateKey(Function<? super P, ?> rateKey);

    /**
     * Sets the fair key of each job, as {@link ScheduleSpec#fairKey} does. If the function returns {@code null}, the
     * handler's fair key is kept.
     */
    BulkSpec<P> fairKey(Function<? super P, ? extends @Nullable Object> fairKey);

    /** Adds a label to each job, as {@link ScheduleSpec#label} does. */
    BulkSpec<P> label(String label);

    /** Makes each job a member of a group, as {@link ScheduleSpec#group} does. */
    BulkSpec<P> group(String name);

    /**
     * Spreads the due times evenly over this duration. The last call ({@link #now}, {@link #after} or {@link #at})
     * states when the first job is due.
     */
    BulkSpec<P> spreadOver(Duration duration);

    /** Schedules the jobs. They are due at once. */
    @CanIgnoreReturnValue
    List<Scheduled> now();

    /** Schedules the jobs. They are due after a delay, as with {@link ScheduleSpec#after}. */
    @CanIgnoreReturnValue
    List<Scheduled> after(Duration delay);

    /** Schedules the jobs. They are due at an instant, as with {@link ScheduleSpec#at}. */
    @CanIgnoreReturnValue
    List<Scheduled> at(Instant instant);
}
