package io.delayjob.actuate.metrics;

import io.delayjob.job.JobState;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Number of jobs in each state, in the whole store. They are counted at most every thirty seconds. Thread-safe. */
final class StoredJobs {

    /** Longer than that of one row: a count looks at up to {@link JobCounts#CAP} index entries of each state. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final StoreReading<JobCounts> counts;

    StoredJobs(JobStore store, EngineClock clock, BooleanSupplier inTrouble) {
        this.counts = new StoreReading<>(() -> store.counts(clock.storeTime()), clock, PAUSE, inTrouble);
    }

    /** As good as {@link JobCounts} is; not a number when the store does not say. */
    double in(JobState state) {
        @Nullable JobCounts counted = counts.get();
        return counted == null ? Double.NaN : counted.in(state);
    }
}
