package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * The handle of one timer. A timer ends exactly once: it fires, it is cancelled, or its wheel is closed. A
 * {@linkplain TimingWheel#scheduleEvery periodic} timer fires again and again until it is cancelled or its wheel
 * closed.
 *
 * <p>Any thread may use it.
 *
 * @param <E> payload of the timer: the task
 */
public interface Timeout<E> {

    /**
     * Cancels the timer and lets go of what it held, in constant time.
     *
     * @return {@code true} if this call ended the timer, so that it will never fire again; {@code false} if it had
     *     fired (it may still be running), had been cancelled, or had ended with its wheel before
     */
    boolean cancel();

    /** Whether the timer has not ended. */
    boolean isPending();

    /** The timer's payload, or {@code null} once it has ended. */
    @Nullable
    E task();
}
