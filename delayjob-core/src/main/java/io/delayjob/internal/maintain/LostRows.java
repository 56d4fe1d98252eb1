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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rescues lost rows, all rows of a page with one call. If the call fails although the store answers, one of the rows
 * may be the cause. Each half of the rows then gets its own call, and so on, until that row is alone in its call. All
 * other rows are rescued. The next search finds that row again. Only one agent thread uses this object.
 */
final class LostRows {

    private static final Logger log = LoggerFactory.getLogger(LostRows.class);

    /**
     * Maximum number of refused rows of one page. If the store refuses more rows, it probably refuses every rescue, so
     * the search fails.
     */
    static final int MAX_REFUSED = 100;

    /**
     * If the store refuses this number of rows and has not accepted any row of the page, it probably refuses every
     * rescue, so the search fails. Without this lower number, each search would send hundreds of calls.
     */
    static final int MAX_REFUSED_FIRST = 4;

    private final UnaryOperator<List<DueRow>> store;
    private final DueIntake due;
    private final JobListeners listeners;
    private final EngineClock clock;
    private final LogThrottle throttle = new LogThrottle();

    /** @param store rescues lost rows, and returns the rows that are then waiting */
    LostRows(UnaryOperator<List<DueRow>> store, DueIntake due, JobListeners listeners, EngineClock clock) {
        this.store = store;
        this.due = due;
        this.listeners = listeners;
        this.clock = clock;
    }

    /**
     * Rescues these rows. The store skips a row that is locked, or whose cancellation was requested. Returns the
     * partitions of the skipped rows.
     */
    Set<Partition> rescue(List<DueRow> lost) {
        Page page = new Page();
        rescue(lost, page);
        page.refused.forEach(this::warn);
        return page.skipped;
    }

    private void rescue(List<DueRow> lost, Page page) {
        Deque<List<DueRow>> parts = new ArrayDeque<>();
        parts.add(lost);
        while (!parts.isEmpty()) {
            List<DueRow> part = parts.removeFirst();
            long asOfNanos = clock.nanoTime();
            List<DueRow> rescued;
            try {
                rescued = store.apply(part);
            } catch (RuntimeException failure) {
                if (failure instanceof StoreException said && said.isTransient()) {
                    throw failure;
                } else if (part.size() > 1) {
                    parts.addFirst(part.subList(part.size() / 2, part.size()));
                    parts.addFirst(part.subList(0, part.size() / 2));
                } else {
                    page.refuse(part.get(0), failure);
                    continueAtTheOtherEnd(parts);
                }
                continue;
            }
            page.accept(part, rescued);
            passOn(rescued, asOfNanos);
        }
    }

    /**
     * Puts the last part first. Damaged rows often lie side by side, so a row at the other end soon shows whether the
     * store refuses every rescue.
     */
    private static void continueAtTheOtherEnd(Deque<List<DueRow>> parts) {
        if (!parts.isEmpty()) {
            parts.addFirst(parts.removeLast());
        }
    }

    private void passOn(List<DueRow> rescued, long asOfNanos) {
        if (rescued.isEmpty()) {
            return;
        }
        log.warn(
                "{} running jobs have lost their instance, so they are due again. Other instances will repeat them.",
                rescued.size());
        listeners.tell(l -> l.rescued(rescued.stream().map(DueRow::id).toList()));
        due.offer(rescued, asOfNanos);
    }

    private void warn(DueRow refused, RuntimeException failure) {
        throttle.admit("rescue", clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "delayjob cannot rescue job {} ({}){}, which has lost its instance, so this job does not run "
                                + "again. Other lost jobs are rescued, and each later search tries this job again. "
                                + "Repair the row of this job in the store, or delete it. The reason: {}",
                        refused.id(),
                        refused.name(),
                        LogThrottle.withOtherJobs(before),
                        failure.toString()));
    }

    /** The lost rows of one page, while they are rescued. */
    private static final class Page {
        private final Set<Partition> skipped = new HashSet<>();
        private final Map<DueRow, RuntimeException> refused = new LinkedHashMap<>();
        private boolean accepted;

        void accept(List<DueRow> rows, List<DueRow> rescued) {
            accepted = true;
            Set<JobId> waiting = rescued.stream().map(DueRow::id).collect(Collectors.toSet());
            rows.stream()
                    .filter(row -> !waiting.contains(row.id()))
                    .map(DueRow::partition)
                    .forEach(skipped::add);
        }

        void refuse(DueRow row, RuntimeException failure) {
            refused.put(row, failure);
            if (refused.size() > MAX_REFUSED || !accepted && refused.size() == MAX_REFUSED_FIRST) {
                throw failure;
            }
        }
    }
}
