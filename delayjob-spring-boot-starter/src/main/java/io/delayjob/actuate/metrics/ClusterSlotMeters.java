package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.event.JobListener;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Partition;
import io.delayjob.spring.OfDefaultStore;
import io.delayjob.status.ClusterSlots;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Some handlers have a limit for the whole cluster. For each of them, meters show this instance's slots. The meters
 * appear when this instance first leads a partition, because an instance has slots only through its leases.
 */
final class ClusterSlotMeters implements JobListener, OfDefaultStore {

    private static final ClusterSlots NONE = new ClusterSlots(0, 0, 0, 0);

    private final MeterRegistry registry;
    private final HandlerRegistry handlers;
    private final Supplier<DelayJobEngine> engine;
    private final Tags common;
    private final Set<String> shown = ConcurrentHashMap.newKeySet();

    ClusterSlotMeters(MeterRegistry registry, HandlerRegistry handlers, Supplier<DelayJobEngine> engine, Tags common) {
        this.registry = registry;
        this.handlers = handlers;
        this.engine = engine;
        this.common = common;
    }

    @Override
    public void leaseAcquired(Partition partition) {
        handlers.all().stream()
                .filter(handler -> handler.scope() == ConcurrencyScope.CLUSTER)
                .map(Handler::name)
                .filter(shown::add)
                .forEach(this::show);
    }

    private void show(String handler) {
        gauge("delayjob.cluster.slots.active", "Attempts under way on this instance", handler, ClusterSlots::running);
        gauge(
                "delayjob.cluster.slots.owned",
                "Slots that this instance has by its leases",
                handler,
                ClusterSlots::owned);
        gauge(
                "delayjob.cluster.slots.blocked",
                "Slots of this instance in which attempts of other instances may still run",
                handler,
                ClusterSlots::blocked);
        gauge(
                "delayjob.cluster.slots.max",
                "Maximum number of attempts at a time in the whole cluster",
                handler,
                ClusterSlots::limit);
    }

    private void gauge(String name, String description, String handler, ToDoubleFunction<ClusterSlots> value) {
        Gauge.builder(
                        name,
                        engine,
                        of -> value.applyAsDouble(
                                of.get().status().clusterSlots().getOrDefault(handler, NONE)))
                .description(description)
                .tags(common)
                .tag(JobMeters.HANDLER, handler)
                .register(registry);
    }
}
