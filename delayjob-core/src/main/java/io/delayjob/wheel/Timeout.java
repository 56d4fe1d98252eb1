package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * The handle of one timer. A timer ends exactly once: it fires, it is cancelled, or its wheel is closed. A
 * {@linkplain TimingWheel#scheduleEvery periodic} timer fires again and again until it is cancelled or its wheel
 * closed.
 *
 * <p>Thread-safety is that of the wheel which made it: any thread may use a handle of a {@link TimingWheel}, only the
 * owner one of a {@link HierarchicalWheel}.
 *
 * @param <E> payload of the timer; for timers of a {@link TimingWheel}, the task
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
