package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.status.EngineStatus;
import io.delayjob.wheel.LevelOccupancy;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Meters that show the state of the engine, as read from memory. */
final class EngineMeters implements MeterBinder {

    private static final int LEVELS = 8;

    private final Supplier<DelayJobEngine> engine;
    private final Tags common;

    EngineMeters(Supplier<DelayJobEngine> engine, Tags common) {
        this.engine = engine;
        this.common = common;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "delayjob.wheel.size", "Jobs in the wheel", EngineStatus::waiting);
        gauge(registry, "delayjob.ready", "Due jobs that are not claimed", EngineStatus::ready);
        gauge(
                registry,
                "delayjob.rate.waiting",
                "Due jobs in memory that wait for the rate of their handler or queue",
                status -> status.waitingForRate().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum());
        gauge(
                registry,
                "delayjob.mutex.waiting",
                "Due jobs in memory that wait for their mutex",
                EngineStatus::waitingForMutex);
        gauge(registry, "delayjob.unwritten", "Ended attempts that are not durable yet", EngineStatus::unwritten);
        gauge(
                registry,
                "delayjob.lease.held",
                "Partitions that this instance leads",
                status -> status.led().size());
        gauge(
                registry,
                "delayjob.paused",
                "Handlers and queues that are paused in the whole cluster",
                status -> status.paused().handlers().size()
                        + status.paused().queues().size());
        TimeGauge.builder(
                        "delayjob.wheel.lag",
                        engine,
                        TimeUnit.NANOSECONDS,
                        of(status -> status.wheelLag().toNanos()))
                .tags(common)
                .description("How late the wheel was when it last fired timers")
                .register(registry);
        FunctionCounter.builder("delayjob.wheel.cascades", engine, of(EngineStatus::cascades))
                .tags(common)
                .description("How often a timer has moved to a lower level of the wheel")
                .register(registry);
        for (int i = 0; i < LEVELS; i++) {
            int level = i;
            Gauge.builder("delayjob.wheel.occupancy", engine, of(status -> timers(status.wheel(), level)))
                    .description("Timers on a level of the wheel; 0 is the finest")
                    .tags(common)
                    .tag("level", String.valueOf(level))
                    .register(registry);
        }
    }

    private static double timers(List<LevelOccupancy> levels, int level) {
        return level < levels.size() ? levels.get(level).timers() : 0;
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<EngineStatus> value) {
        Gauge.builder(name, engine, of(value))
                .description(description)
                .tags(common)
                .register(registry);
    }

    private static ToDoubleFunction<Supplier<DelayJobEngine>> of(ToDoubleFunction<EngineStatus> value) {
        return engine -> value.applyAsDouble(engine.get().status());
    }
}
