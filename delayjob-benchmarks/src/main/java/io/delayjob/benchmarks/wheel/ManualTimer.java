package io.delayjob.benchmarks.wheel;

/** A timer whose time the benchmark moves. */
interface ManualTimer {

    void schedule(Runnable task, long deadlineNanos);

    /** Runs due tasks. Returns when it must be called next, {@link Long#MAX_VALUE} if it is empty. */
    long advance(long nowNanos);
}
