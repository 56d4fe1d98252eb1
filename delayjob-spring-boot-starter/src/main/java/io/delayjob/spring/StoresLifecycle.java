package io.delayjob.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.SmartLifecycle;

/** Starts and stops the engines of the named stores, as {@link DelayJobLifecycle} does for the default store. */
final class StoresLifecycle implements SmartLifecycle {

    private final Map<String, DeclaredSchedules> schedules = new LinkedHashMap<>();
    private final List<DelayJobLifecycle> engines;

    StoresLifecycle(List<DelayJobStore> named, DelayJobThreads threads) {
        named.forEach(store -> schedules.put(store.name(), store.newSchedules()));
        this.engines = named.stream()
                .map(store -> new DelayJobLifecycle(store.engine(), scheduleOf(store), threads))
                .toList();
    }

    private DeclaredSchedules scheduleOf(DelayJobStore store) {
        return Objects.requireNonNull(schedules.get(store.name()));
    }

    Map<String, DeclaredSchedules> schedules() {
        return Map.copyOf(schedules);
    }

    @Override
    public void start() {
        engines.forEach(DelayJobLifecycle::start);
    }

    @Override
    public void stop() {
        engines.forEach(DelayJobLifecycle::stop);
    }

    @Override
    public void stop(Runnable callback) {
        AtomicInteger running = new AtomicInteger(engines.size());
        engines.forEach(engine -> engine.stop(() -> {
            if (running.decrementAndGet() == 0) {
                callback.run();
            }
        }));
    }

    @Override
    public boolean isRunning() {
        return engines.stream().anyMatch(DelayJobLifecycle::isRunning);
    }

    @Override
    public int getPhase() {
        return DelayJobLifecycle.PHASE;
    }
}
