package io.delayjob.spring;

import io.delayjob.DelayJobEngine;
import io.delayjob.time.AgentHandle;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the engine after all handlers are registered. Stops the engine while the beans of the handlers still exist.
 */
final class DelayJobLifecycle implements SmartLifecycle {

    /**
     * The engine stops after message listeners, which bring new work, but before the web server and the thread pools.
     */
    static final int PHASE = DEFAULT_PHASE - 512;

    private final DelayJobEngine engine;
    private final DeclaredSchedules schedules;
    private final DelayJobThreads threads;
    private final Object monitor = new Object();
    private volatile boolean running;
    private @Nullable AgentHandle declaring;

    DelayJobLifecycle(DelayJobEngine engine, DeclaredSchedules schedules, DelayJobThreads threads) {
        this.engine = engine;
        this.schedules = schedules;
        this.threads = threads;
    }

    @Override
    public void start() {
        synchronized (monitor) {
            if (!running) {
                engine.start();
                declaring = threads.agents().start(schedules);
                running = true;
            }
        }
    }

    @Override
    public void stop() {
        synchronized (monitor) {
            running = false;
            try {
                if (declaring != null) {
                    declaring.stop();
                    declaring = null;
                }
            } finally {
                engine.stop();
            }
        }
    }

    @Override
    public void stop(Runnable callback) {
        threads.stopping().execute(() -> {
            try {
                stop();
            } finally {
                callback.run();
            }
        });
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
