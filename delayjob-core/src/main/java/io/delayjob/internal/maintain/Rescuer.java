package io.delayjob.internal.maintain;

import io.delayjob.internal.preload.Outlook;
import io.delayjob.internal.preload.Reads;
import io.delayjob.job.DueRow;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Rescues the running rows of instances that are no longer registered: such a row goes back to the state {@code
 * DELAYED}. The instance that claims the job next decides whether the job was lost too often.
 *
 * <p><strong>When it searches.</strong> No index separates running rows from waiting rows. Therefore a search reads all
 * due rows, page by page, from the oldest on.
 *
 * <pre>
 *   an instance has left    in led partitions: at once, from the beginning, without pauses;
 *                           in other partitions: two liveness periods later, in case their leader has not done it
 *   rows were locked        a liveness period later, once more, without pauses
 *   otherwise               a liveness period after the last search (in other partitions: two); after each page a pause
 *                           of {@value #REST_PER_WORK} times as long as the read, and at least half a second.
 *                           If other instances lead partitions, the pause is longer, and led partitions come first
 * </pre>
 *
 * <p>The searches of the last kind (<em>otherwise</em>) use the {@linkplain Outlook outlook}. If the outlook shows no
 * due rows for a partition, these searches leave out the partition. These searches also find the rows of instances that
 * left unnoticed.
 *
 * <p>{@link Owners} tells which of the rows are lost, and {@link LostRows} rescues them. One agent thread uses this
 * object.
 */
public final class Rescuer implements Agent {

    /**
     * Maximum number of rows that one statement reads, for all its partitions together. A statement reads that many
     * rows in some milliseconds.
     */
    static final int PAGE = 5_000;

    private static final int REST_PER_WORK = 20;

    /**
     * Minimum pause between two pages of searches that are not urgent, for all instances together. An instance that
     * leads k of P partitions pauses P/k times as long.
     */
    private static final long SHORTEST_REST_NANOS = Duration.ofMillis(500).toNanos();

    private final Reads reads;
    private final EngineClock clock;
    private final Supplier<List<Partition>> led;
    private final Supplier<List<Partition>> notLed;
    private final Owners owners;
    private final LostRows lostRows;
    private final long livenessNanos;

    private final Map<Partition, Look> looks = new LinkedHashMap<>();
    private int departuresKnown;
    private long restUntilNanos;
    private long latestStoreMillis;
    private boolean oneByOne;

    public Rescuer(
            Reads reads,
            Supplier<List<Partition>> led,
            Supplier<List<Partition>> notLed,
            Owners owners,
            LostRows lostRows,
            Duration liveness) {
        this.reads = reads;
        this.clock = reads.clock();
        this.led = led;
        this.notLed = notLed;
        this.owners = owners;
        this.lostRows = lostRows;
        this.livenessNanos = liveness.toNanos();
        this.departuresKnown = owners.departures().getAsInt();
        this.restUntilNanos = clock.nanoTime();
    }

    @Override
    public String roleName() {
        return "rescue";
    }

    @Override
    public long doWork() {
        follow();
        List<Look> due = withoutEmpty(due());
        if (!due.isEmpty()) {
            read(due);
        }
        return looks.values().stream()
                .mapToLong(look -> Math.max(timeOf(look) - clock.nanoTime(), 0))
                .min()
                .orElse(livenessNanos);
    }

    private void follow() {
        long now = clock.nanoTime();
        List<Partition> mine = led.get();
        List<Partition> others = notLed.get();
        looks.keySet().removeIf(partition -> !mine.contains(partition) && !others.contains(partition));
        for (Partition partition : mine) {
            looks.compute(partition, (p, look) -> look == null ? Look.from(p, true, now) : look.takenOver(now));
        }
        long afterTheirLeader = now + 2 * livenessNanos;
        for (Partition partition : others) {
            looks.compute(
                    partition, (p, look) -> look == null ? Look.from(p, false, afterTheirLeader) : look.handedBack());
        }
        int left = owners.departures().getAsInt();
        if (left != departuresKnown) {
            departuresKnown = left;
            looks.replaceAll((p, look) -> look.anew(look.mine() ? now : afterTheirLeader));
        }
    }

    /**
     * If some searches are urgent, returns only these. Otherwise, searches of led partitions come first, because other
     * instances search the other partitions.
     */
    private List<Look> due() {
        long now = clock.nanoTime();
        List<Look> due = looks.values().stream()
                .filter(look -> timeOf(look) - now <= 0)
                .sorted((a, b) -> Long.signum(timeOf(a) - timeOf(b)))
                .toList();
        List<Look> urgent = due.stream().filter(Look::urgent).toList();
        List<Look> first = urgent.isEmpty() ? due.stream().filter(Look::mine).toList() : urgent;
        return first.isEmpty() ? due : first;
    }

    /**
     * A partition without due jobs has no running jobs, and so no lost attempts. Such a partition counts as searched at
     * the time when the {@link Outlook} was read. After an instance has left, the outlook may be too old to rely on.
     */
    private List<Look> withoutEmpty(List<Look> due) {
        if (due.isEmpty() || due.get(0).urgent()) {
            return due;
        }
        Outlook.View view = reads.outlook().youngerThan(Duration.ofNanos(livenessNanos / 4));
        Instant until = latestStoreTime();
        List<Look> left = new ArrayList<>();
        for (Look look : due) {
            if (view.isEmpty(look.partition(), until)) {
                looks.put(look.partition(), look.afterPage(null, false, view.asOfNanos(), livenessNanos));
            } else {
                left.add(look);
            }
        }
        return left;
    }

    private long timeOf(Look look) {
        return look.urgent() || look.atNanos() - restUntilNanos >= 0 ? look.atNanos() : restUntilNanos;
    }

    /**
     * If reading the pages of all partitions together fails, the next call reads the pages one by one. Then an
     * unreadable partition does not stop the search in other partitions.
     */
    private void read(List<Look> due) {
        if (!oneByOne) {
            oneByOne = true;
            readPages(due);
            oneByOne = false;
            return;
        }
        long started = clock.nanoTime();
        StoreException failure = null;
        for (Look look : due) {
            try {
                readPages(List.of(look));
            } catch (StoreException unread) {
                failure = unread;
                // The store answers no request, so no further partition is tried now.
                if (clock.nanoTime() - started > livenessNanos / 4) {
                    break;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        oneByOne = false;
    }

    private void readPages(List<Look> due) {
        long started = clock.nanoTime();
        // If this read fails, other partitions come before its second try.
        due.forEach(look -> looks.put(look.partition(), look.putBehind(started)));
        int limit = Math.max(1, PAGE / due.size());
        DuePage<ClaimedRow> page = reads.store()
                .claimedByOthers(
                        due.stream().map(Look::from).toList(),
                        latestStoreTime(),
                        owners.known().get(),
                        limit);
        List<DueRow> lost = owners.lost(page.rows());
        Set<Partition> locked = lost.isEmpty() ? Set.of() : lostRows.rescue(lost);
        Map<Partition, PartitionCursor> behind =
                page.next().stream().collect(Collectors.toMap(PartitionCursor::partition, cursor -> cursor));
        long ended = clock.nanoTime();
        restUntilNanos = ended + Math.max(shortestRestNanos(), REST_PER_WORK * (ended - started));
        for (Look look : due) {
            Partition partition = look.partition();
            looks.put(
                    partition, look.afterPage(behind.get(partition), locked.contains(partition), ended, livenessNanos));
        }
    }

    private long shortestRestNanos() {
        long mine = looks.values().stream().filter(Look::mine).count();
        return Math.min(SHORTEST_REST_NANOS * looks.size() / Math.max(1, mine), livenessNanos);
    }

    /** If the store's clock was set back, running rows may be due later than now, and must still be found. */
    private Instant latestStoreTime() {
        latestStoreMillis = Math.max(latestStoreMillis, clock.storeMillis());
        return Instant.ofEpochMilli(latestStoreMillis);
    }
}
