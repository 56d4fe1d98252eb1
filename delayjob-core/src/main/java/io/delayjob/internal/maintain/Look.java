package io.delayjob.internal.maintain;

import io.delayjob.job.Partition;
import io.delayjob.store.PartitionCursor;
import org.jspecify.annotations.Nullable;

/**
 * Contains the state of the search for lost attempts in one partition. Immutable.
 *
 * @param mine whether this instance leads the partition
 * @param urgent whether the pages are read without a pause
 * @param passedBy whether a locked row was skipped
 * @param atNanos the monotonic time of the next page
 */
record Look(PartitionCursor from, boolean mine, boolean urgent, boolean passedBy, long atNanos) {

    static Look from(Partition partition, boolean mine, long atNanos) {
        return new Look(PartitionCursor.start(partition), mine, false, false, atNanos);
    }

    /**
     * Returns the state of a new search, which begins at the start of the partition. An instance has left, so this
     * search is urgent.
     */
    Look anew(long atNanos) {
        boolean sooner = urgent && this.atNanos - atNanos < 0;
        return new Look(PartitionCursor.start(partition()), mine, true, false, sooner ? this.atNanos : atNanos);
    }

    Look takenOver(long nowNanos) {
        return mine ? this : new Look(from, true, urgent, passedBy, nowNanos);
    }

    Look handedBack() {
        return mine ? new Look(from, false, urgent, passedBy, atNanos) : this;
    }

    /** A failed read of this search must not delay the other searches. */
    Look putBehind(long nowNanos) {
        return new Look(from, mine, urgent, passedBy, nowNanos + 1);
    }

    /** @param next the position of the next page, or {@code null} after the last page */
    Look afterPage(@Nullable PartitionCursor next, boolean locked, long nowNanos, long livenessNanos) {
        boolean again = passedBy || locked;
        if (next != null) {
            return new Look(next, mine, urgent, again, nowNanos);
        }
        long pause = mine || again ? livenessNanos : 2 * livenessNanos;
        return new Look(PartitionCursor.start(partition()), mine, again, false, nowNanos + pause);
    }

    Partition partition() {
        return from.partition();
    }
}
