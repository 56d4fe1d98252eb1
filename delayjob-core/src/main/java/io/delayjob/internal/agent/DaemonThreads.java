package io.delayjob.internal.agent;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Creates daemon threads. Nothing else in delayjob creates threads. Thread-safe. */
public final class DaemonThreads implements ThreadFactory {

    private final Supplier<String> name;

    private DaemonThreads(Supplier<String> name) {
        this.name = name;
    }

    public static DaemonThreads named(String name) {
        return new DaemonThreads(() -> name);
    }

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
