package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * The handle of one timer. A timer ends exactly once: it fires, it is cancelled, or its wheel is closed. A {@linkplain
 * TimingWheel#scheduleEvery periodic} timer fires until it is cancelled or its wheel is closed. Thread-safe.
 *
 * @param <E> the type of the timer's task
 */
public interface Timeout<E> {

    /**
     * Cancels the timer and releases its task, in constant time.
     *
     * @return whether this call has ended the timer; if {@code false}, its task may still be running
     */
    boolean cancel();

    /** Tells whether the timer has not ended yet. */
    boolean isPending();

    /** Returns the timer's task, or {@code null} after the timer has ended. */
    @Nullable
    E task();
}
