package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * The handle of one timer. A timer ends exactly once: it fires, it is cancelled, or its wheel is closed. A
 * {@linkplain TimingWheel#scheduleEvery periodic} one fires again and again until one of the other two happens.
 *
 * <p>Thread-safety is that of the wheel which made it: any thread may use a handle of a {@link TimingWheel}, only the
 * owner one of a {@link HierarchicalWheel}.
 *
 * @param <E> what the timer carries: the task, for timers of a {@link TimingWheel}
 */
public interface Timeout<E> {

    /**
     * Cancels the timer and lets go of what it held, in constant time.
     *
     * @return {@code true} if this call ended the timer, so that it will never fire again; {@code false} if it had
     *     fired (it may still be running), had been cancelled, or had ended with its wheel before
     */
    boolean cancel();

    /** Tells whether the timer has not ended. */
    boolean isPending();

    /** What the timer carries, or {@code null} once it has ended. */
    @Nullable
    E task();
}
