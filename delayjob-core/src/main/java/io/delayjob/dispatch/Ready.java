package io.delayjob.dispatch;

import io.delayjob.job.DueRow;

/**
 * A due row in memory. Two with equal rows are two all the same: only the one offered last stands for its job.
 */
final class Ready {

    final DueRow row;

    /** Whether a claim has passed over it before. */
    final boolean again;

    Ready(DueRow row, boolean again) {
        this.row = row;
        this.again = again;
    }
}
