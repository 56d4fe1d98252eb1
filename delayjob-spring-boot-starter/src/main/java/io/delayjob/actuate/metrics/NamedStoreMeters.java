package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.spring.DelayJobStore;
import io.delayjob.spring.DelayJobStores;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/** Registers the meters of the named stores. */
final class NamedStoreMeters implements MeterBinder, SmartLifecycle {

    private final List<JobMeters> jobs = new ArrayList<>();

    /** A registry refers to these objects only weakly, so they live as long as this object. */
    private final List<MeterBinder> gauges = new ArrayList<>();

    NamedStoreMeters(DelayJobStores stores, MeterRegistry registry) {
        stores.all().stream()
                .filter(store -> !store.name().equals(DelayJobStores.DEFAULT))
                .forEach(store -> add(store, registry));
    }

    private void add(DelayJobStore store, MeterRegistry registry) {
        Tags tags = StoreTags.of(store.name());
        Supplier<DelayJobEngine> engine = store::engine;
        JobMeters meters = new JobMeters(registry, store.handlers(), tags);
        store.listeners().add(meters);
        store.listeners().add(new QueueMeters(registry, engine, tags));
        store.listeners().add(new ClusterSlotMeters(registry, store.handlers(), engine, tags));
        jobs.add(meters);
        gauges.add(StoreMeters.of(store.store(), store.clock(), engine, tags));
        gauges.add(new EngineMeters(engine, tags));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauges.forEach(gauge -> gauge.bindTo(registry));
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
