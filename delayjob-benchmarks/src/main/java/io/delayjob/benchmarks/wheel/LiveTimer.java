package io.delayjob.benchmarks.wheel;

/** A timer that runs on real time. Thread-safe. */
interface LiveTimer extends AutoCloseable {

    Object schedule(Runnable task, long delayNanos);

    void cancel(Object handle);

    @Override
    void close();
}
