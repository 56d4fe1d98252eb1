package io.delayjob.actuate.metrics;

import io.delayjob.job.DueRow;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Since when the oldest due job waits, whichever instance should run it. One row of each partition is read, at most
 * every ten seconds however often the meters are, and not at all while the store is in trouble, so that reading meters
 * does not wait for it. Thread-safe.
 */
final class OldestDue {

    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final JobStore store;
    private final EngineClock clock;
    private final BooleanSupplier inTrouble;
    private @Nullable Answer last;

    OldestDue(JobStore store, EngineClock clock, BooleanSupplier inTrouble) {
        this.store = store;
        this.clock = clock;
        this.inTrouble = inTrouble;
    }

    /** Zero when none is due; not a number when the store does not say. */
    double ageMillis() {
        Answer answer = answer();
        if (!answer.known) {
            return Double.NaN;
        }
        return answer.dueMillis.isEmpty() ? 0 : Math.max(0, clock.storeMillis() - answer.dueMillis.getAsLong());
    }

    private synchronized Answer answer() {
        long now = clock.nanoTime();
        Answer answer = last;
        if (answer == null || now - answer.askedNanos >= PAUSE.toNanos()) {
            answer = ask(now);
            last = answer;
        }
        return answer;
    }

    private Answer ask(long now) {
        if (inTrouble.getAsBoolean()) {
            return new Answer(now, false, OptionalLong.empty());
        }
        try {
            List<PartitionCursor> beginnings = store.partitionsInUse().keySet().stream()
                    .map(PartitionCursor::start)
                    .toList();
            List<DueRow> first = beginnings.isEmpty() ? List.of() : store.dueAfter(beginnings, clock.storeTime(), 1);
            return new Answer(
                    now, true, first.stream().mapToLong(DueRow::dueMillis).min());
        } catch (StoreException away) {
            return new Answer(now, false, OptionalLong.empty());
        }
    }

    private record Answer(long askedNanos, boolean known, OptionalLong dueMillis) {}
}
