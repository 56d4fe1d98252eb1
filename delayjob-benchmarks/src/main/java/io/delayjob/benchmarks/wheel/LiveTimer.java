package io.delayjob.benchmarks.wheel;

/** A timer that runs on real time. Any thread may call its methods. */
interface LiveTimer extends AutoCloseable {

    /** Returns the handle that a caller passes to {@link #cancel}. */
    Object schedule(Runnable task, long delayNanos);

    void cancel(Object handle);

    @Override
    void close();
}
