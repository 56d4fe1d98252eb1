package io.delayjob.internal.engine;

import io.delayjob.internal.attempt.Attempts;
import io.delayjob.internal.dispatch.Lanes;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.SlotUse;
import io.delayjob.store.Vitals;
import io.delayjob.time.EngineClock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects the facts for each heartbeat from this instance's memory. Only the thread of the heartbeats uses this
 * object.
 */
final class OwnVitals {

    private final EngineSettings settings;
    private final EngineClock clock;
    private final Traffic traffic;
    private final LeadStation lead;
    private final Lanes lanes;
    private final PreloadStation preload;
    private final Attempts attempts;
    private final @Nullable String version = Version.read();
    private final long startedNanos;

    OwnVitals(
            EngineParts parts,
            Traffic traffic,
            LeadStation lead,
            Lanes lanes,
            PreloadStation preload,
            Attempts attempts) {
        this.settings = parts.settings();
        this.clock = parts.clock();
        this.traffic = traffic;
        this.lead = lead;
        this.lanes = lanes;
        this.preload = preload;
        this.attempts = attempts;
        this.startedNanos = clock.nanoTime();
    }

    Vitals now() {
        long nanos = clock.nanoTime();
        return new Vitals(
                version,
                clock.storeTime().minusNanos(nanos - startedNanos),
                clock.skew(),
                new Vitals.Memory(
                        preload.waiting.size(),
                        lanes.ready(),
                        settings.preload().maxJobs()),
                traffic.rates(nanos),
                queues(),
                attempts.longest(),
                attempts.progress(),
                attempts.logs());
    }

    private List<Vitals.QueueUse> queues() {
        Map<String, SlotUse> slots = lanes.occupancy().slotUse();
        Map<String, List<Integer>> led = lead.leases.led().stream()
                .sorted()
                .collect(Collectors.groupingBy(
                        Partition::queue, TreeMap::new, Collectors.mapping(Partition::index, Collectors.toList())));
        TreeSet<String> names = new TreeSet<>(lead.queueNames.worked());
        names.addAll(led.keySet());
        // Vitals have a limited length. So queues that have lost their places are told only while jobs of them run.
        slots.forEach((queue, use) -> {
            if (use.active() + use.claimed() > 0) {
                names.add(queue);
            }
        });
        return names.stream()
                .map(name -> use(name, slots.getOrDefault(name, idle(name)), led.getOrDefault(name, List.of())))
                .toList();
    }

    private SlotUse idle(String queue) {
        return new SlotUse(
                0,
                0,
                lead.queueNames.worked().contains(queue) ? settings.queue(queue).concurrency() : 0);
    }

    private static Vitals.QueueUse use(String queue, SlotUse slots, List<Integer> led) {
        return new Vitals.QueueUse(queue, slots.max(), slots.active(), slots.claimed(), led);
    }
}
