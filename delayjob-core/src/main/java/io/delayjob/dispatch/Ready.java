package io.delayjob.dispatch;

import io.delayjob.job.DueRow;

/**
 * A due row in memory. Two with equal rows are two all the same: only the one offered last stands for its job.
 */
final class Ready {

    final DueRow row;

    /** Monotonic time as of which it was like that. */
    final long asOfNanos;

    /** Whether a claim has passed over it before. */
    final boolean again;

    Ready(DueRow row, long asOfNanos, boolean again) {
        this.row = row;
        this.asOfNanos = asOfNanos;
        this.again = again;
    }

    /** Whether this row, read then, is later news of the same job. */
    boolean isOvertakenBy(DueRow other, long readNanos) {
        return other.token() != row.token() && readNanos - asOfNanos >= 0;
    }
}
