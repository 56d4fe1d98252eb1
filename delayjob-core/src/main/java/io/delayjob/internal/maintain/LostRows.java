package io.delayjob.internal.maintain;

import io.delayjob.event.JobListeners;
import io.delayjob.event.LogThrottle;
import io.delayjob.internal.preload.DueIntake;
import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rescues lost rows, all rows of a page with one call. If the call fails although the store answers, each half of the
 * rows gets its own call. The rows are halved again until a refused row is alone. The next search tries refused rows
 * last, so that damaged rows never hide other rows.
 *
 * <p>The rows of each group of partitions get their own call. Otherwise, a failure in one group would hide which rows
 * of another group were rescued. Only one agent thread uses this object.
 */
public final class LostRows {

    private static final Logger log = LoggerFactory.getLogger(LostRows.class);

    /**
     * If the store newly refuses more than this number of rows of a group in one page, the search fails. If the store
     * again refuses this number of known refused rows, the rest of the known refused rows is not tried in this page.
     */
    static final int MAX_REFUSED = 100;

    /**
     * If the store refuses this number of rows before it has rescued any, it probably refuses every rescue, and the
     * search fails.
     */
    static final int MAX_REFUSED_FIRST = 8;

    private static final int MAX_KNOWN = 10_000;

    private final UnaryOperator<List<DueRow>> store;
    private final ToIntFunction<Partition> groupOf;
    private final DueIntake due;
    private final JobListeners listeners;
    private final EngineClock clock;
    private final LogThrottle throttle = new LogThrottle();

    /** The rows that the store has refused. The first row has waited longest for its next try. */
    private final Set<JobId> refusedBefore = new LinkedHashSet<>();

    /**
     * @param store rescues lost rows, and returns the rows that are then waiting
     * @param groupOf returns the number of the group that contains a partition
     */
    public LostRows(
            UnaryOperator<List<DueRow>> store,
            ToIntFunction<Partition> groupOf,
            DueIntake due,
            JobListeners listeners,
            EngineClock clock) {
        this.store = store;
        this.groupOf = groupOf;
        this.due = due;
        this.listeners = listeners;
        this.clock = clock;
    }

    /**
     * Returns the partitions of the skipped rows. A row is skipped if the row is locked, or if the cancellation of its
     * job was requested.
     */
    Set<Partition> rescue(List<DueRow> lost) {
        Set<Partition> skipped = new HashSet<>();
        Map<Integer, List<DueRow>> groups = lost.stream()
                .collect(Collectors.groupingBy(
                        row -> groupOf.applyAsInt(row.partition()), LinkedHashMap::new, Collectors.toList()));
        RuntimeException failure = null;
        for (List<DueRow> rows : groups.values()) {
            try {
                skipped.addAll(new Group().rescue(rows));
            } catch (RuntimeException failed) {
                if (failure != null) {
                    failed.addSuppressed(failure);
                }
                failure = failed;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return skipped;
    }

    private void passOn(List<DueRow> rescued, long asOfNanos) {
        if (rescued.isEmpty()) {
            return;
        }
        listeners.tell(l -> l.rescued(rescued.stream().map(DueRow::id).toList()));
        due.offer(rescued, asOfNanos);
    }

    private void remember(JobId refused) {
        refusedBefore.remove(refused);
        refusedBefore.add(refused);
        if (refusedBefore.size() > MAX_KNOWN) {
            refusedBefore.remove(refusedBefore.iterator().next());
        }
    }

    private void warn(DueRow refused, RuntimeException failure) {
        throttle.admit("rescue", clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "delayjob cannot rescue job {} ({}){}, which has lost its instance. The job waits, and "
                                + "delayjob tries to rescue it again later. Check whether delayjob rescues other lost "
                                + "jobs. If it does, the row of this job is damaged: repair this row in the store. The "
                                + "reason: {}",
                        refused.id(),
                        refused.name(),
                        LogThrottle.withEarlierFailures(before),
                        failure.toString()));
    }

    private final class Group {
        private final Set<Partition> skipped = new HashSet<>();
        private final Map<DueRow, RuntimeException> refused = new LinkedHashMap<>();
        private int rescued;
        private int refusedAgain;

        /**
         * Maximum number of refusals before the first rescue. It grows with the number of known refused rows. So a
         * small number of searches is enough to find all damaged rows.
         */
        private int maxRefusedFirst;

        Set<Partition> rescue(List<DueRow> rows) {
            Map<JobId, DueRow> others = new LinkedHashMap<>();
            rows.forEach(row -> others.put(row.id(), row));
            List<DueRow> known = refusedBefore.stream()
                    .map(others::remove)
                    .filter(Objects::nonNull)
                    .toList();
            maxRefusedFirst = Math.max(MAX_REFUSED_FIRST, known.size());
            try {
                divide(List.copyOf(others.values()), this::refuse);
                divide(known, this::refuseAgain);
            } catch (RuntimeException failure) {
                report(rescued > 0);
                throw failure;
            }
            report(true);
            return skipped;
        }

        private void report(boolean namesRefused) {
            if (rescued > 0) {
                log.warn("{} running jobs have lost their instance, so they are due again.", rescued);
            }
            if (namesRefused) {
                refused.forEach(LostRows.this::warn);
            }
        }

        private void divide(List<DueRow> rows, BiPredicate<DueRow, RuntimeException> goesOnAfterRefusal) {
            Deque<List<DueRow>> parts = new ArrayDeque<>();
            if (!rows.isEmpty()) {
                parts.add(rows);
            }
            while (!parts.isEmpty()) {
                List<DueRow> part = parts.removeFirst();
                long asOfNanos = clock.nanoTime();
                List<DueRow> waiting;
                try {
                    waiting = store.apply(part);
                } catch (RuntimeException failure) {
                    if (failure instanceof StoreException said && said.isTransient()) {
                        throw failure;
                    } else if (part.size() > 1) {
                        parts.addFirst(part.subList(part.size() / 2, part.size()));
                        parts.addFirst(part.subList(0, part.size() / 2));
                    } else if (!goesOnAfterRefusal.test(part.get(0), failure)) {
                        return;
                    }
                    continue;
                }
                accept(part, waiting);
                passOn(waiting, asOfNanos);
            }
        }

        private void accept(List<DueRow> rows, List<DueRow> waiting) {
            rescued += waiting.size();
            Set<JobId> ids = waiting.stream().map(DueRow::id).collect(Collectors.toSet());
            for (DueRow row : rows) {
                refusedBefore.remove(row.id());
                if (!ids.contains(row.id())) {
                    skipped.add(row.partition());
                }
            }
        }

        private boolean refuse(DueRow row, RuntimeException failure) {
            remember(row.id());
            refused.put(row, failure);
            if (refused.size() > MAX_REFUSED || rescued == 0 && refused.size() == maxRefusedFirst) {
                throw failure;
            }
            return true;
        }

        private boolean refuseAgain(DueRow row, RuntimeException failure) {
            remember(row.id());
            refused.put(row, failure);
            refusedAgain++;
            return refusedAgain < MAX_REFUSED;
        }
    }
}
