package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows that become due within the window, in the partitions that this instance leads. Passes these rows to
 * the timing wheel.
 *
 * <pre>
 *        now          now + window/2        now + window
 *         |------- read before -------|--- read now ---|          every half window
 *                                  cursor
 * </pre>
 *
 * <p>This instance knows all rows before the cursor of a partition. If a row is committed late, the sweep finds the
 * row. One agent thread uses this object, except for {@link #startAnew} and the getters.
 */
public final class WindowReader implements Agent {

    private final Reads reads;
    private final EngineClock clock;
    private final Supplier<List<Partition>> led;
    private final WaitingRows waiting;
    private final Duration window;
    private final long sweepGraceMillis;

    private final Map<Partition, PartitionCursor> cursors = new HashMap<>();
    private final AtomicBoolean startsAnew = new AtomicBoolean();
    private volatile OptionalLong readUntilMillis = OptionalLong.empty();
    private volatile @Nullable LastRead lastRead;

    public WindowReader(
            Reads reads, Supplier<List<Partition>> led, WaitingRows waiting, Duration window, Duration sweepGrace) {
        this.reads = reads;
        this.clock = reads.clock();
        this.led = led;
        this.waiting = waiting;
        this.window = window;
        this.sweepGraceMillis = sweepGrace.toMillis();
    }

    @Override
    public String roleName() {
        return "preload";
    }

    @Override
    public long doWork() {
        long wait = work();
        readUntilMillis =
                cursors.values().stream().mapToLong(PartitionCursor::dueMillis).min();
        return wait;
    }

    private long work() {
        boolean anew = startsAnew.getAndSet(false);
        if (waiting.followClock() || anew) {
            // The old cursors would skip rows between the old time and the new time of the clock.
            cursors.clear();
        }
        boolean newGround = followLeases();
        if (cursors.isEmpty()) {
            return window.toNanos() / 2;
        }
        long started = clock.nanoTime();
        // A new view may take longer than the read of the window, because it would have to skip dead rows of the index.
        Outlook.View view = newGround ? null : reads.outlook().lastIfYoungerThan(window.dividedBy(4));
        if (view != null && isEmpty(view)) {
            reads.tell("window", 0, started);
            // The partitions are read as of the view, so the next read follows half a window after the view.
            return Math.max(0, view.asOfNanos() + window.toNanos() / 2 - clock.nanoTime());
        }
        return switch (read()) {
            case MORE -> 0;
            case NO_ROOM -> window.toNanos() / 20;
            case DONE -> window.toNanos() / 2;
        };
    }

    /**
     * Makes the next {@link #doWork} read the whole window again. This is necessary because the rows of earlier reads
     * have left the timing wheel.
     */
    public void startAnew() {
        startsAnew.set(true);
    }

    /** In a new partition, the reader begins at a due time that the sweep covers, so that no row is missed. */
    private boolean followLeases() {
        List<Partition> present = led.get();
        cursors.keySet().retainAll(present);
        int before = cursors.size();
        long from = clock.storeMillis() - sweepGraceMillis;
        present.forEach(partition -> cursors.computeIfAbsent(partition, p -> PartitionCursor.behind(p, from)));
        return cursors.size() > before;
    }

    /** If no row is due within the window, the cursors move forward as after a read. */
    private boolean isEmpty(Outlook.View view) {
        long sinceNanos = clock.nanoTime() - view.asOfNanos();
        Instant until = clock.storeTime().plus(window).minusNanos(sinceNanos).truncatedTo(ChronoUnit.MILLIS);
        if (!cursors.keySet().stream().allMatch(partition -> view.isEmpty(partition, until))) {
            return false;
        }
        cursors.replaceAll((partition, cursor) -> cursor.dueMillis() < until.toEpochMilli()
                ? PartitionCursor.behind(partition, until.toEpochMilli())
                : cursor);
        return true;
    }

    private Progress read() {
        long started = clock.nanoTime();
        Instant until = clock.storeTime().plus(window);
        int limit = Pages.perPartition(reads.batchSize(), cursors.size());
        DuePage<DueRow> read = reads.store().dueAfter(List.copyOf(cursors.values()), until, limit);
        Map<Partition, List<DueRow>> pages = read.rows().stream().collect(Collectors.groupingBy(DueRow::partition));
        Map<Partition, PartitionCursor> behind =
                read.next().stream().collect(Collectors.toMap(PartitionCursor::partition, cursor -> cursor));
        Progress progress = Progress.DONE;
        for (Map.Entry<Partition, PartitionCursor> entry : cursors.entrySet()) {
            List<DueRow> page = pages.getOrDefault(entry.getKey(), List.of());
            List<DueRow> refused = waiting.offer(page, started);
            PartitionCursor next = behind.get(entry.getKey());
            if (!refused.isEmpty()) {
                // The cursor stays before the first refused row.
                int taken = page.indexOf(refused.get(0));
                entry.setValue(taken == 0 ? entry.getValue() : PartitionCursor.at(page.get(taken - 1)));
                progress = Progress.NO_ROOM;
            } else if (next != null) {
                entry.setValue(next);
                progress = progress == Progress.NO_ROOM ? progress : Progress.MORE;
            } else {
                entry.setValue(PartitionCursor.behind(entry.getKey(), until.toEpochMilli()));
            }
        }
        reads.tell("window", read.rows().size(), started);
        lastRead = new LastRead(clock.storeTime(), read.rows().size(), Duration.ofNanos(clock.nanoTime() - started));
        return progress;
    }

    /** @param at end of the read, in store time */
    public record LastRead(Instant at, int rows, Duration took) {}

    /** Returns the latest read; {@code null} if there was no read yet. */
    public @Nullable LastRead lastRead() {
        return lastRead;
    }

    /**
     * Returns the due time up to which all partitions of this instance are read; empty if this instance leads no
     * partition.
     */
    public OptionalLong readUntilMillis() {
        return readUntilMillis;
    }

    private enum Progress {
        DONE,
        MORE,
        NO_ROOM
    }
}
