package io.delayjob;

import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * The last step of scheduling: name a key, a queue, a policy if you like, then say when. Nothing happens before
 * {@link #now()}, {@link #after}, {@link #at} or {@link #repeat}. Immutable: every step returns a new one.
 */
@CheckReturnValue
public interface ScheduleSpec {

    /** Longest text of a key, in characters. */
    int MAX_KEY_LENGTH = 200;

    /**
     * At most one unfinished job has this handler name and key; if there is one, it is kept as it is.
     *
     * @param key any value whose {@code toString()} identifies it, 1 to {@value #MAX_KEY_LENGTH} characters, no control
     *     characters
     */
    default ScheduleSpec key(Object key) {
        return key(key, OnExisting.KEEP);
    }

    /** As {@link #key(Object)}; says what to do when there is an unfinished job of that key. */
    ScheduleSpec key(Object key, OnExisting onExisting);

    /** Another queue than the handler's. Instances that work that queue must know the handler. */
    ScheduleSpec queue(String queue);

    /**
     * Another retry policy than the handler's, stored with the job; which exceptions count stays the handler's choice.
     */
    ScheduleSpec retry(RetryPolicy policy);

    /** Due at once. */
    @CanIgnoreReturnValue
    Scheduled now();

    /** Due after {@code delay}, counted from this call in store time; zero or more, not past the year 9999. */
    @CanIgnoreReturnValue
    Scheduled after(Duration delay);

    /** Due at {@code instant}, by the store's clock; due at once when that has passed; not past the year 9999. */
    @CanIgnoreReturnValue
    Scheduled at(Instant instant);

    /** Runs again and again, as the schedule says. */
    @CanIgnoreReturnValue
    Scheduled repeat(Repeat schedule);
}
