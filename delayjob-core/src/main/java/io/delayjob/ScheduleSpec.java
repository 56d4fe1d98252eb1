package io.delayjob;

import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * The last step of scheduling: set a key, a queue or a policy if needed, then give the time. Nothing happens before
 * {@link #now()}, {@link #after}, {@link #at} or {@link #repeat}. Immutable: every step returns a new one.
 */
@CheckReturnValue
public interface ScheduleSpec {

    /** Maximum length of a key's text, in characters. */
    int MAX_KEY_LENGTH = 200;

    /**
     * Sets the key: at most one unfinished job has this handler name and key. A job that has them already is kept as
     * it is.
     *
     * @param key any value whose {@code toString()} identifies it, 1 to {@value #MAX_KEY_LENGTH} characters, no control
     *     characters
     */
    default ScheduleSpec key(Object key) {
        return key(key, OnExisting.KEEP);
    }

    /** As {@link #key(Object)}; also sets what happens if an unfinished job has that key. */
    ScheduleSpec key(Object key, OnExisting onExisting);

    /** Sets another queue than the handler's. Instances that work that queue must know the handler. */
    ScheduleSpec queue(String queue);

    /**
     * Sets another retry policy than the handler's. It is stored with the job. The handler still decides which
     * exceptions count.
     */
    ScheduleSpec retry(RetryPolicy policy);

    /** Makes the job due at once. */
    @CanIgnoreReturnValue
    Scheduled now();

    /**
     * Makes the job due after {@code delay}, counted from this call in store time; zero or more, not past the year
     * 9999.
     */
    @CanIgnoreReturnValue
    Scheduled after(Duration delay);

    /**
     * Makes the job due at {@code instant}, by the store's clock. An instant in the past makes it due at once. The
     * latest year is 9999.
     */
    @CanIgnoreReturnValue
    Scheduled at(Instant instant);

    /** Makes the job repeat, as the schedule says. */
    @CanIgnoreReturnValue
    Scheduled repeat(Repeat schedule);
}
