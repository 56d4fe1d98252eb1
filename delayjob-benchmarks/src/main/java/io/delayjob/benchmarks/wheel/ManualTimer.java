package io.delayjob.benchmarks.wheel;

/** A timer with a clock that the benchmark moves. */
interface ManualTimer {

    void schedule(Runnable task, long deadlineNanos);

    /**
     * Runs due tasks. Returns the time at which the next call is needed; {@link Long#MAX_VALUE} if there are no more
     * timers.
     */
    long advance(long nowNanos);
}
