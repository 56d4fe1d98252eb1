package io.delayjob.actuate.metrics;

import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the jobs of each state in the whole store. Thread-safe. */
final class StoredJobs {

    /**
     * Pause between two counts. It is long, because a count reads up to {@link JobCounts#CAP} index entries of each
     * state.
     */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final StoreReading<JobCounts> counts;

    StoredJobs(JobStore store, EngineClock clock, BooleanSupplier inTrouble) {
        this.counts = new StoreReading<>(() -> store.counts(clock.storeTime()), clock, PAUSE, inTrouble);
    }

    /** Returns the number of jobs in a state; NaN if the store does not answer. */
    double in(JobState state) {
        @Nullable JobCounts counted = counts.get();
        return counted == null ? Double.NaN : counted.in(state);
    }
}
