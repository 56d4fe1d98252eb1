package io.delayjob.benchmarks.wheel;

/** A timer that runs on real time. Its methods may be called by any thread. */
interface LiveTimer extends AutoCloseable {

    /** Schedules a task, and returns the handle that {@link #cancel} takes. */
    Object schedule(Runnable task, long delayNanos);

    void cancel(Object handle);

    @Override
    void close();
}
