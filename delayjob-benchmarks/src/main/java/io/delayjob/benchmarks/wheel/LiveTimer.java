package io.delayjob.benchmarks.wheel;

/** A timer that runs on real time. Thread-safe. */
interface LiveTimer extends AutoCloseable {

    /** Returns the handle for {@link #cancel}. */
    Object schedule(Runnable task, long delayNanos);

    void cancel(Object handle);

    @Override
    void close();
}
