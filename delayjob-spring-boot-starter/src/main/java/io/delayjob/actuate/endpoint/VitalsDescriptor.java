package io.delayjob.actuate.endpoint;

import io.delayjob.job.Partition;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The vital signs in the last heartbeat of an instance. {@link Vitals} describes the other fields.
 *
 * @param longestRunning the attempt under way that began first; absent if none is under way
 */
record VitalsDescriptor(
        @Nullable String version,
        Instant since,
        boolean worker,
        Map<String, SlotsDescriptor> slots,
        int waiting,
        int ready,
        int capacity,
        double startsPerSecond,
        double endsPerSecond,
        List<Long> late,
        Duration clockSkew,
        List<String> partitions,
        @Nullable LongestDescriptor longestRunning) {

    record SlotsDescriptor(int concurrency, int running, int claimed) {}

    record LongestDescriptor(String id, String name, Instant since) {

        static @Nullable LongestDescriptor of(Vitals.@Nullable LongestRunning longest) {
            return longest == null
                    ? null
                    : new LongestDescriptor(
                            longest.job().toString(),
                            longest.name(),
                            longest.since().truncatedTo(ChronoUnit.MILLIS));
        }
    }

    static @Nullable VitalsDescriptor of(@Nullable Vitals vitals, boolean worker) {
        if (vitals == null) {
            return null;
        }
        Map<String, SlotsDescriptor> slots = new TreeMap<>();
        for (Vitals.QueueUse use : vitals.queues()) {
            if (use.concurrency() > 0) {
                slots.put(use.queue(), new SlotsDescriptor(use.concurrency(), use.running(), use.claimed()));
            }
        }
        return new VitalsDescriptor(
                vitals.version(),
                vitals.since().truncatedTo(ChronoUnit.SECONDS),
                worker,
                slots,
                vitals.memory().waiting(),
                vitals.memory().ready(),
                vitals.memory().capacity(),
                vitals.rates().startsPerSecond(),
                vitals.rates().endsPerSecond(),
                vitals.rates().late(),
                vitals.clockSkew(),
                vitals.queues().stream()
                        .flatMap(use -> use.partitions().stream().map(index -> new Partition(use.queue(), index)))
                        .map(Partition::toString)
                        .toList(),
                LongestDescriptor.of(vitals.longest()));
    }
}
