package io.delayjob.internal.engine;

import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.QueuesSettings;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the queues in which this instance may lead partitions: the queues that it declares, and queues that are named
 * only in calls. {@link QueuesSettings#max()} limits the number of these queues.
 *
 * <p>A queue that is named only in calls keeps its place while it contains jobs, and for a while afterwards. So the
 * leases of this queue are not given back between two jobs. If a queue has no place, its jobs wait.
 *
 * <p>Only one thread, the thread of an agent, calls {@link #candidates}. Any thread may call {@link #left()}.
 */
final class QueueChoice {

    private static final Logger log = LoggerFactory.getLogger(QueueChoice.class);

    private static final long LINGER_NANOS = Duration.ofMinutes(5).toNanos();

    /** A queue must get its place at least this time before its first job is due. */
    private static final Duration SOON = Duration.ofMinutes(1);

    /** A queue may lose its place if it has no job that is due within this time. */
    private static final Duration FAR_AHEAD = Duration.ofMinutes(5);

    private static final long BETWEEN_WARNINGS_NANOS = Duration.ofHours(1).toNanos();

    private final EngineSettings settings;
    private final QueueNames names;
    private final Supplier<Set<String>> declaredByAny;
    private final EngineClock clock;

    /**
     * The queues that have a place although only calls name them. The value is the monotonic time at which jobs were
     * last seen.
     */
    private final Map<String, Long> places = new HashMap<>();

    private Set<String> warnedOf = Set.of();
    private long warnedNanos;
    private volatile Set<String> left = Set.of();

    QueueChoice(EngineSettings settings, QueueNames names, Supplier<Set<String>> declaredByAny, EngineClock clock) {
        this.settings = settings;
        this.names = names;
        this.declaredByAny = declaredByAny;
        this.clock = clock;
    }

    /**
     * If partitions beyond the configured number contain jobs, they are included. So no job is lost when a person
     * lowers the number.
     *
     * @param inUse the partitions with unfinished jobs, each with the due time of its first job
     */
    Set<Partition> candidates(Map<Partition, Instant> inUse) {
        SortedSet<String> worked = names.worked();
        follow(inUse, worked);
        Set<Partition> candidates = new HashSet<>(inUse.keySet());
        candidates.removeIf(
                partition -> !settings.queue(partition.queue()).enabled() || left.contains(partition.queue()));
        worked.addAll(places.keySet());
        for (String queue : worked) {
            IntStream.range(0, settings.queues().partitions())
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
        earliest.entrySet().stream()
                .filter(queue -> !places.containsKey(queue.getKey()))
                .sorted(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .forEach(queue -> {
                    if (hasRoom(worked) || makesRoom(queue.getValue(), earliest)) {
                        places.put(queue.getKey(), now);
                    }
                });
        earliest.keySet().removeAll(places.keySet());
        left = Set.copyOf(earliest.keySet());
        earliest.values().removeIf(due -> !isSoon(due));
        warn(new TreeSet<>(earliest.keySet()), now);
    }

    private boolean hasRoom(Set<String> worked) {
        return worked.size() + places.size() < settings.queues().max();
    }

    /**
     * The queue that has been empty longest loses its place first. If no queue is empty, a queue whose jobs are due far
     * ahead makes room for jobs due soon.
     */
    private boolean makesRoom(Instant due, Map<String, Instant> earliest) {
        Optional<String> empty = places.entrySet().stream()
                .filter(place -> !earliest.containsKey(place.getKey()))
                .min((a, b) -> Long.signum(a.getValue() - b.getValue()))
                .map(Map.Entry::getKey);
        Instant farAhead = clock.storeTime().plus(FAR_AHEAD);
        Optional<String> last = earliest.entrySet().stream()
                .filter(queue -> isSoon(due) && places.containsKey(queue.getKey()))
                .filter(queue -> queue.getValue().isAfter(farAhead))
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
        Optional<String> given = empty.or(() -> last);
        given.ifPresent(places::remove);
        return given.isPresent();
    }

    private boolean isSoon(Instant due) {
        return !due.isAfter(clock.storeTime().plus(SOON));
    }

    private void warn(Set<String> without, long now) {
        if (!without.isEmpty() && (!warnedOf.containsAll(without) || now - warnedNanos >= BETWEEN_WARNINGS_NANOS)) {
            log.warn(
                    "This instance runs jobs of at most {} queues (delayjob.max-queues), and has reached this limit. "
                            + "So the jobs of these queues may wait: {}. Raise delayjob.max-queues, or start another "
                            + "instance and configure these queues there (delayjob.queues.<name>.concurrency).",
                    settings.queues().max(),
                    QueueNames.listed(without));
            warnedNanos = now;
        }
        warnedOf = without;
    }

    Set<String> left() {
        return left;
    }
}
