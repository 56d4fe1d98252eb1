package io.delayjob.benchmarks.wheel;

/** A timer with a clock that the benchmark moves. */
interface ManualTimer {

    void schedule(Runnable task, long deadlineNanos);

    /** Runs due tasks. Returns when the next call is needed; {@link Long#MAX_VALUE} if no timer is left. */
    long advance(long nowNanos);
}
