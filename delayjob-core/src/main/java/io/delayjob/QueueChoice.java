package io.delayjob;

import io.delayjob.job.Partition;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the queues whose partitions this instance may lead. It works what it declares, and beside that, up to {@link
 * EngineSettings#maxQueues()} in all, queues that hold jobs and that no live instance declares, because calls have named
 * them.
 *
 * <p>A queue keeps its place while it holds jobs, and for a while after, so that its leases are not handed back between
 * two jobs. A queue that finds no place waits until another one runs empty, and is warned of.
 *
 * <p>One agent thread calls {@link #candidates}; {@link #left()} may be called from any thread.
 */
final class QueueChoice {

    private static final Logger log = LoggerFactory.getLogger(QueueChoice.class);

    private static final long LINGER_NANOS = Duration.ofMinutes(5).toNanos();

    private static final long BETWEEN_WARNINGS_NANOS = Duration.ofHours(1).toNanos();

    private final EngineSettings settings;
    private final QueueNames names;
    private final Supplier<Set<String>> declaredByAny;
    private final EngineClock clock;

    /** Queues named by calls that have a place, each with the monotonic time at which it was last seen to hold jobs. */
    private final Map<String, Long> places = new HashMap<>();

    private long warnedNanos;
    private volatile Set<String> left = Set.of();

    /** @param declaredByAny the queues that live instances have registered */
    QueueChoice(EngineSettings settings, QueueNames names, Supplier<Set<String>> declaredByAny, EngineClock clock) {
        this.settings = settings;
        this.names = names;
        this.declaredByAny = declaredByAny;
        this.clock = clock;
    }

    /**
     * The partitions that may be led here: those of the chosen queues, whatever they hold, and all that hold jobs, so
     * that nothing is stranded by a smaller number of partitions.
     *
     * @param inUse the partitions that hold unfinished jobs, each with the due time of the first
     */
    Set<Partition> candidates(Map<Partition, Instant> inUse) {
        SortedSet<String> worked = names.worked();
        follow(inUse, worked);
        Set<Partition> candidates = new HashSet<>(inUse.keySet());
        candidates.removeIf(
                partition -> !settings.queue(partition.queue()).enabled() || left.contains(partition.queue()));
        worked.addAll(places.keySet());
        for (String queue : worked) {
            IntStream.range(0, settings.partitions())
                    .mapToObj(index -> new Partition(queue, index))
                    .forEach(candidates::add);
        }
        return candidates;
    }

    private void follow(Map<Partition, Instant> inUse, Set<String> worked) {
        long now = clock.nanoTime();
        Set<String> declared = new HashSet<>(declaredByAny.get());
        declared.addAll(worked);
        Map<String, Instant> earliest = new HashMap<>();
        inUse.forEach((partition, due) -> {
            String queue = partition.queue();
            if (!declared.contains(queue) && settings.queue(queue).enabled()) {
                earliest.merge(queue, due, (a, b) -> a.isBefore(b) ? a : b);
            }
        });
        places.replaceAll((queue, seen) -> earliest.containsKey(queue) ? Long.valueOf(now) : seen);
        places.entrySet().removeIf(place -> declared.contains(place.getKey()) || now - place.getValue() > LINGER_NANOS);
        Set<String> without = new TreeSet<>();
        earliest.keySet().stream()
                .filter(queue -> !places.containsKey(queue))
                .sorted(Comparator.comparing((String queue) -> earliest.get(queue))
                        .thenComparing(queue -> queue))
                .forEach(queue -> {
                    if (hasRoom(worked) || makesRoom(now)) {
                        places.put(queue, now);
                    } else {
                        without.add(queue);
                    }
                });
        warn(without, now);
    }

    private boolean hasRoom(Set<String> worked) {
        return worked.size() + places.size() < settings.maxQueues();
    }

    /** The queue that has been empty for longest gives its place away. */
    private boolean makesRoom(long now) {
        List<String> empty = places.entrySet().stream()
                .filter(place -> place.getValue() != now)
                .sorted((a, b) -> Long.signum(a.getValue() - b.getValue()))
                .map(Map.Entry::getKey)
                .limit(1)
                .collect(Collectors.toList());
        return places.keySet().removeAll(empty);
    }

    private void warn(Set<String> without, long now) {
        if (!without.isEmpty() && (!left.containsAll(without) || now - warnedNanos >= BETWEEN_WARNINGS_NANOS)) {
            log.warn(
                    "Queues hold jobs that this instance does not work, because it works {} already (delayjob.max-queues): {}. Their jobs wait until another queue that calls have named runs empty. Raise delayjob.max-queues, or configure them on an instance (delayjob.queues.<name>.concurrency), which then works them.",
                    settings.maxQueues(),
                    QueueNames.listed(without));
            warnedNanos = now;
        }
        left = Set.copyOf(without);
    }

    /** Queues that hold jobs and found no place, so that their jobs wait. */
    Set<String> left() {
        return left;
    }
}
