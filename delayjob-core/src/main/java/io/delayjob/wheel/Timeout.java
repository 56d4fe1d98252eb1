package io.delayjob.wheel;

/**
 * The handle of one timer. A timer ends exactly once: it fires, or it is cancelled.
 *
 * <p>Thread-safety is that of the wheel which made it: any thread may use a handle of a {@link TimingWheel}, only the
 * owner one of a {@link HierarchicalWheel}.
 */
public interface Timeout {

    /**
     * Cancels the timer and lets go of what it held, in constant time.
     *
     * @return {@code true} if this call ended the timer, so that it will never fire; {@code false} if it had fired (it
     *     may still be running) or had been cancelled before
     */
    boolean cancel();

    /** Tells whether the timer has neither fired nor been cancelled. */
    boolean isPending();
}
