package io.delayjob.store;

import io.delayjob.job.JobState;

/** In which order jobs are found. */
public enum JobOrder {
    /** By their ids, the oldest first; jobs of one ended state by (end, id). The order that a {@link JobQuery} begins with. */
    OLDEST,
    /** {@link #OLDEST} reversed. */
    NEWEST,
    /** Unfinished jobs by (due time, id), the earliest first. */
    DUE,
    /** Ended jobs by (end, id), the last one first. */
    ENDED;

    /** Whether the last come first. */
    public boolean isReversed() {
        return this == NEWEST || this == ENDED;
    }

    /** Whether jobs of this state have a place in this order. */
    boolean takes(JobState state) {
        return switch (this) {
            case OLDEST, NEWEST -> true;
            case DUE -> !state.isEnded();
            case ENDED -> state.isEnded();
        };
    }
}
