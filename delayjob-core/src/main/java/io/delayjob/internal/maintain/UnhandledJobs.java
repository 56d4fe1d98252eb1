package io.delayjob.internal.maintain;

import io.delayjob.internal.instance.Membership;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.job.Printable;
import io.delayjob.job.Transition;
import io.delayjob.status.UnhandledName;
import io.delayjob.store.DueJobs;
import io.delayjob.store.DuePage;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.PartitionCursor;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of waiting jobs for which no registered instance has a handler. Otherwise, nobody might notice that a handler
 * was renamed without a {@code formerNames} entry.
 *
 * <p>Of the instances that run jobs, only the instance with the lowest number searches. This instance searches once an
 * hour, and after changes of the register. A search reads only the earliest rows of each partition.
 *
 * <p>One agent thread uses this object, but any thread may call {@link #found()}.
 */
public final class UnhandledJobs implements Agent {

    private static final Logger log = LoggerFactory.getLogger(UnhandledJobs.class);

    static final int PAGE = 2_000;

    static final int PAGES = 10;

    private static final int REST_PER_WORK = 20;

    private static final int MAX_NAMES_IN_LOG = 10;

    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

    private final DueJobs store;
    private final InstanceStore register;
    private final Membership membership;
    private final Supplier<Set<Partition>> partitions;
    private final Predicate<String> handledHere;
    private final EngineClock clock;
    private final long settlingNanos;

    private @Nullable Set<Long> otherWorkers;
    private long nextLookNanos;
    private @Nullable Survey look;
    private Set<String> warnedOf = Set.of();
    private long warnedNanos;
    private volatile List<UnhandledName> found = List.of();

    /** @param settling how long the register must be unchanged before a search begins */
    public UnhandledJobs(
            DueJobs store,
            InstanceStore register,
            Membership membership,
            Supplier<Set<Partition>> partitions,
            Predicate<String> handledHere,
            EngineClock clock,
            Duration settling) {
        this.store = store;
        this.register = register;
        this.membership = membership;
        this.partitions = partitions;
        this.handledHere = handledHere;
        this.clock = clock;
        this.settlingNanos = settling.toNanos();
    }

    @Override
    public String roleName() {
        return "unhandled";
    }

    /**
     * Returns the names without a handler, in the order of due times. The list is empty if this instance does not
     * search.
     */
    public List<UnhandledName> found() {
        return found;
    }

    @Override
    public long doWork() {
        long now = clock.nanoTime();
        long number = membership.number();
        Set<Long> others = membership.workers();
        if (number == 0 || others.stream().anyMatch(other -> other < number)) {
            otherWorkers = null;
            look = null;
            found = List.of();
            return settlingNanos;
        }
        if (!others.equals(otherWorkers)) {
            otherWorkers = others;
            look = null;
            nextLookNanos = now + settlingNanos;
        }
        if (now - nextLookNanos < 0) {
            return Math.min(nextLookNanos - now, settlingNanos);
        }
        Survey current = look == null ? new Survey(partitions.get()) : look;
        look = current;
        if (!current.isOver()) {
            current.readPage();
            return REST_PER_WORK * (clock.nanoTime() - now);
        }
        look = null;
        nextLookNanos = now + HOUR_NANOS;
        found = current.unhandled();
        warn(now);
        return Math.min(HOUR_NANOS, settlingNanos);
    }

    private void warn(long now) {
        Set<String> names = found.stream().map(UnhandledName::name).collect(Collectors.toSet());
        if (!names.isEmpty() && (!warnedOf.containsAll(names) || now - warnedNanos >= HOUR_NANOS)) {
            log.warn(
                    "Some stored jobs wait, because no instance has a handler with their names: {}{}. Start "
                            + "an instance that has the handler. If a handler was renamed, add the old name to its "
                            + "formerNames. If the jobs are no longer needed, cancel them.",
                    found.stream()
                            .limit(MAX_NAMES_IN_LOG)
                            .map(unhandled -> "'%s' (%s)".formatted(Printable.of(unhandled.name()), unhandled.extent()))
                            .collect(Collectors.joining(", ")),
                    names.size() > MAX_NAMES_IN_LOG
                            ? " and %d more names".formatted(names.size() - MAX_NAMES_IN_LOG)
                            : "");
            warnedNanos = now;
        }
        warnedOf = names;
    }

    private final class Survey {

        private final Map<Partition, PartitionCursor> cursors = new TreeMap<>();
        private final Map<String, UnhandledName> byName = new HashMap<>();
        private int pages;

        Survey(Set<Partition> partitions) {
            partitions.forEach(partition -> cursors.put(partition, PartitionCursor.start(partition)));
        }

        boolean isOver() {
            return cursors.isEmpty() || pages == PAGES;
        }

        void readPage() {
            int limit = Math.max(1, PAGE / cursors.size());
            DuePage<DueRow> page = store.dueAfter(List.copyOf(cursors.values()), Transition.LAST_INSTANT, limit);
            pages++;
            page.rows().stream().filter(row -> !handledHere.test(row.name())).forEach(this::count);
            cursors.clear();
            page.next().forEach(cursor -> cursors.put(cursor.partition(), cursor));
        }

        private void count(DueRow row) {
            byName.merge(
                    row.name(),
                    new UnhandledName(row.name(), 1, false, Instant.ofEpochMilli(row.dueMillis())),
                    (a, b) -> new UnhandledName(
                            a.name(),
                            a.jobs() + 1,
                            false,
                            a.firstDue().isBefore(b.firstDue()) ? a.firstDue() : b.firstDue()));
        }

        /** The register is read after the rows, so that the register is newer than the rows. */
        List<UnhandledName> unhandled() {
            if (byName.isEmpty()) {
                return List.of();
            }
            Set<String> handled = register.handlers().stream()
                    .flatMap(Collection::stream)
                    .collect(Collectors.toCollection(HashSet::new));
            boolean more = !cursors.isEmpty();
            return byName.values().stream()
                    .filter(unhandled -> !handled.contains(unhandled.name()))
                    .map(unhandled -> new UnhandledName(unhandled.name(), unhandled.jobs(), more, unhandled.firstDue()))
                    .sorted(Comparator.comparing(UnhandledName::firstDue).thenComparing(UnhandledName::name))
                    .toList();
        }
    }
}
