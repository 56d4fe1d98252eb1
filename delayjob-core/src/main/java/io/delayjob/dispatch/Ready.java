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

    /** Whether a sweep has found it: it is late already. */
    final boolean overdue;

    private Ready(DueRow row, long asOfNanos, boolean again, boolean overdue) {
        this.row = row;
        this.asOfNanos = asOfNanos;
        this.again = again;
        this.overdue = overdue;
    }

    static Ready onTime(DueRow row, long asOfNanos) {
        return new Ready(row, asOfNanos, false, false);
    }

    static Ready overdue(DueRow row, long asOfNanos) {
        return new Ready(row, asOfNanos, false, true);
    }

    Ready passedOver() {
        return new Ready(row, asOfNanos, true, overdue);
    }

    /** Whether that one is later news of the same job. */
    boolean isOvertakenBy(Ready other) {
        return other.row.token() != row.token() && other.asOfNanos - asOfNanos >= 0;
    }
}
