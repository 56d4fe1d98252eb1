package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.event.JobListener;
import io.delayjob.job.Job;
import io.delayjob.job.Partition;
import io.delayjob.spring.OfDefaultStore;
import io.delayjob.status.SlotUse;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Meters that show the slots of each queue. They appear when this instance first leads a partition or runs a job of the
 * queue.
 */
final class QueueMeters implements JobListener, OfDefaultStore {

    private static final SlotUse NONE = new SlotUse(0, 0, 0);

    private final MeterRegistry registry;
    private final Supplier<DelayJobEngine> engine;
    private final Tags common;
    private final Set<String> queues = ConcurrentHashMap.newKeySet();

    QueueMeters(MeterRegistry registry, Supplier<DelayJobEngine> engine, Tags common) {
        this.registry = registry;
        this.engine = engine;
        this.common = common;
    }

    @Override
    public void leaseAcquired(Partition partition) {
        seen(partition.queue());
    }

    @Override
    public void started(Job job, Duration lateness) {
        seen(job.partition().queue());
    }

    private void seen(String queue) {
        if (queues.add(queue)) {
            gauge("delayjob.workers.active", "Attempts under way", queue, SlotUse::active);
            gauge("delayjob.workers.claimed", "Claimed jobs that have not started", queue, SlotUse::claimed);
            gauge("delayjob.workers.max", "Maximum number of attempts at a time", queue, SlotUse::max);
        }
    }

    private void gauge(String name, String description, String queue, ToDoubleFunction<SlotUse> value) {
        Gauge.builder(
                        name,
                        engine,
                        of -> value.applyAsDouble(of.get().status().workers().getOrDefault(queue, NONE)))
                .description(description)
                .tags(common)
                .tag("queue", queue)
                .register(registry);
    }
}
