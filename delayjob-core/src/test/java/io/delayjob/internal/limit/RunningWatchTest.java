package io.delayjob.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DueJobs;
import io.delayjob.store.DuePage;
import io.delayjob.store.PartitionCursor;
import io.delayjob.time.Agent;
import io.delayjob.time.HandClock;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RunningWatchTest {

    private static final Partition HOME = new Partition("default", 3);
    private static final int ROWS = 100_000;
    private static final long DUE_MILLIS = 1_000;

    private final HandClock clock = new HandClock();
    private final List<DueRow> rows = new ArrayList<>();
    private final List<DueRow> running = new ArrayList<>();
    private final List<DueRow> awaited = new ArrayList<>();
    private final List<DueRow> ended = new ArrayList<>();
    private int reads;

    private final RunningWatch watch = new RunningWatch(
            new Object(), List.of(limit()), row -> false, store(), clock, () -> List.of(HOME), () -> {});

    @Test
    void knownRow_isLookedForAtItsPlace_howeverManyRowsAreDueInTheSameMillisecond() {
        for (int i = 0; i < ROWS; i++) {
            rows.add(row(i));
        }
        DueRow known = rows.get(70_000);
        running.add(known);
        awaited.add(known);

        look();
        assertThat(reads).isEqualTo(1);
        assertThat(ended).isEmpty();

        running.clear();
        look();
        assertThat(reads).isEqualTo(2);
        assertThat(ended).containsExactly(known);
    }

    @Test
    void knownRowsThatLieFarApart_areAllFound() {
        for (int i = 0; i < ROWS; i++) {
            rows.add(row(i));
        }
        running.addAll(List.of(rows.get(0), rows.get(9_000), rows.get(ROWS - 1)));
        awaited.addAll(running);
        DueRow over = running.remove(1);

        look();

        assertThat(ended).containsExactly(over);
    }

    /** Works until the watch rests. */
    private void look() {
        clock.advanceMillis(1_000);
        long pause = watch.doWork();
        for (int i = 0; i < 2 * ROWS && pause != Agent.UNTIL_WOKEN && !isRest(pause); i++) {
            clock.advanceMillis(pause / 1_000_000);
            pause = watch.doWork();
        }
    }

    /** A look at known rows pauses for a fifth of a second between its pages, and for longer after the last page. */
    private static boolean isRest(long pauseNanos) {
        return pauseNanos > 500_000_000;
    }

    private static DueRow row(int number) {
        return new DueRow(new JobId(new UUID(7, number)), HOME, "work", DUE_MILLIS, number, null);
    }

    private HeldElsewhere limit() {
        return new HeldElsewhere() {
            @Override
            public Map<Partition, Long> unread() {
                return Map.of();
            }

            @Override
            public boolean mayLieIn(Partition home, Partition place) {
                return true;
            }

            @Override
            public boolean isUsedUpBy(DueRow row) {
                return true;
            }

            @Override
            public void learn(Partition home, long term, Collection<DueRow> elsewhere) {}

            @Override
            public Collection<DueRow> awaited() {
                return awaited;
            }

            @Override
            public void ended(Collection<DueRow> rows) {
                ended.addAll(rows);
                awaited.removeAll(rows);
            }
        };
    }

    /** Returns a store that answers only reads of claimed rows. */
    private DueJobs store() {
        return (DueJobs) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DueJobs.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("claimedByOthers");
                    @SuppressWarnings("unchecked")
                    Collection<PartitionCursor> cursors = (Collection<PartitionCursor>) arguments[0];
                    return page(cursors.iterator().next(), (Instant) arguments[1], (int) arguments[3]);
                });
    }

    private DuePage<ClaimedRow> page(PartitionCursor cursor, Instant until, int limit) {
        reads++;
        List<DueRow> read = rows.stream()
                .filter(cursor::isBefore)
                .filter(row -> row.dueMillis() <= until.toEpochMilli())
                .limit(limit)
                .toList();
        List<ClaimedRow> claimed = read.stream()
                .filter(running::contains)
                .map(row -> new ClaimedRow(row, 8))
                .toList();
        return new DuePage<>(
                claimed, read.size() < limit ? List.of() : List.of(PartitionCursor.at(read.get(limit - 1))));
    }
}
