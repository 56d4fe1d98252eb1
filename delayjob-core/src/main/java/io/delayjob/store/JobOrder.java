package io.delayjob.store;

import io.delayjob.job.JobState;

/** States how a query orders the returned jobs. */
public enum JobOrder {
    /**
     * Orders the jobs by id, beginning with the lowest id. A query for the state {@code FINISHED}, {@code FAILED} or
     * {@code CANCELLED} orders the jobs by (end, id). This is the default.
     */
    OLDEST,
    /** Orders the jobs in the reverse order of {@link #OLDEST}. */
    NEWEST,
    /** Orders unfinished jobs by (due time, id), beginning with the earliest. */
    DUE,
    /** Orders ended jobs by (end, id), beginning with the latest end. */
    ENDED;

    /**
     * Tells whether the order is descending. A descending order begins with the highest id, or with the latest time.
     */
    public boolean isReversed() {
        return this == NEWEST || this == ENDED;
    }

    boolean takes(JobState state) {
        return switch (this) {
            case OLDEST, NEWEST -> true;
            case DUE -> !state.isEnded();
            case ENDED -> state.isEnded();
        };
    }
}
