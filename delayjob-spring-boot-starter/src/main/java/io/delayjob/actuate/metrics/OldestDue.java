package io.delayjob.actuate.metrics;

import io.delayjob.job.DueRow;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the oldest due job of the store has been waiting. The store is read at most once in ten seconds.
 * Thread-safe.
 */
final class OldestDue {

    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final JobStore store;
    private final EngineClock clock;
    private final StoreReading<OptionalLong> dueMillis;

    OldestDue(JobStore store, EngineClock clock, BooleanSupplier inTrouble) {
        this.store = store;
        this.clock = clock;
        this.dueMillis = new StoreReading<>(this::read, clock, PAUSE, inTrouble);
    }

    /** Zero if no job is due, and NaN if the store does not answer. */
    double ageMillis() {
        @Nullable OptionalLong due = dueMillis.get();
        if (due == null) {
            return Double.NaN;
        }
        return due.isEmpty() ? 0 : Math.max(0, clock.storeMillis() - due.getAsLong());
    }

    private OptionalLong read() {
        List<DueRow> first = store.firstDue(store.partitionsInUse().keySet(), clock.storeTime(), 1);
        return first.stream().mapToLong(DueRow::dueMillis).min();
    }
}
