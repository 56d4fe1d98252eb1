package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.spring.DelayJobStore;
import io.delayjob.spring.DelayJobStores;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/** Registers the meters of the named stores. */
final class NamedStoreMeters implements SmartLifecycle {

    private final List<JobMeters> jobs;

    NamedStoreMeters(DelayJobStores stores, MeterRegistry registry) {
        this.jobs = stores.all().stream()
                .filter(store -> !store.name().equals(DelayJobStores.DEFAULT))
                .map(store -> bind(store, registry))
                .toList();
    }

    private static JobMeters bind(DelayJobStore store, MeterRegistry registry) {
        Tags tags = StoreTags.of(store.name());
        Supplier<DelayJobEngine> engine = store::engine;
        JobMeters meters = new JobMeters(registry, store.handlers(), tags);
        store.listeners().add(meters);
        store.listeners().add(new QueueMeters(registry, engine, tags));
        store.listeners().add(new ClusterSlotMeters(registry, store.handlers(), engine, tags));
        StoreMeters.of(store.store(), store.clock(), engine, tags).bindTo(registry);
        new EngineMeters(engine, tags).bindTo(registry);
        return meters;
    }

    @Override
    public void start() {
        jobs.forEach(JobMeters::start);
    }

    @Override
    public void stop() {
        jobs.forEach(JobMeters::stop);
    }

    @Override
    public boolean isRunning() {
        return jobs.stream().anyMatch(JobMeters::isRunning);
    }

    /** Starts before the components that cause events. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
