package io.delayjob.internal.agent;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Makes daemon threads: the one place of delayjob that makes any. Thread-safe. */
public final class DaemonThreads implements ThreadFactory {

    private final Supplier<String> name;

    private DaemonThreads(Supplier<String> name) {
        this.name = name;
    }

    /** Threads that all have this name. */
    public static DaemonThreads named(String name) {
        return new DaemonThreads(() -> name);
    }

    /** Threads that have this prefix and a number as their name. */
    public static DaemonThreads numbered(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return new DaemonThreads(() -> prefix + number.incrementAndGet());
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name.get());
        thread.setDaemon(true);
        return thread;
    }
}
