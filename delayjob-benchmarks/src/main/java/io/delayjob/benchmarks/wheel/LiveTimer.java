package io.delayjob.benchmarks.wheel;

/** A timer that runs on real time: what any thread may do with it. */
interface LiveTimer extends AutoCloseable {

    /** Returns the handle that {@link #cancel} takes. */
    Object schedule(Runnable task, long delayNanos);

    void cancel(Object handle);

    @Override
    void close();
}
