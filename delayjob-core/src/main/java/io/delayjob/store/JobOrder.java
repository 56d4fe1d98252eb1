package io.delayjob.store;

import io.delayjob.job.JobState;

/** The order in which a query returns jobs. */
public enum JobOrder {
    /** By id, the oldest job first; jobs of one ended state by (end, id). The default order of a {@link JobQuery}. */
    OLDEST,
    /** {@link #OLDEST} reversed. */
    NEWEST,
    /** Unfinished jobs by (due time, id), the earliest first. */
    DUE,
    /** Ended jobs by (end, id), the latest end first. */
    ENDED;

    /** Tells whether the newest jobs or the latest ends come first. */
    public boolean isReversed() {
        return this == NEWEST || this == ENDED;
    }

    /** Tells whether this order is allowed for jobs of this state. */
    boolean takes(JobState state) {
        return switch (this) {
            case OLDEST, NEWEST -> true;
            case DUE -> !state.isEnded();
            case ENDED -> state.isEnded();
        };
    }
}
