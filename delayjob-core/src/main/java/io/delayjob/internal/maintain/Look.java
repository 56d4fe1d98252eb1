package io.delayjob.internal.maintain;

import io.delayjob.job.Partition;
import io.delayjob.store.PartitionCursor;
import org.jspecify.annotations.Nullable;

/**
 * How far the look for lost attempts has come in one partition, and when it goes on. Immutable.
 *
 * @param from where it goes on
 * @param mine whether the partition is led here
 * @param urgent whether somebody has left, or rows were locked, so that it goes on page upon page
 * @param passedBy whether a row was left out because it was locked
 * @param atNanos monotonic time at which it goes on
 */
record Look(PartitionCursor from, boolean mine, boolean urgent, boolean passedBy, long atNanos) {

    /** Nobody is known to have left: from the beginning, at leisure. */
    static Look from(Partition partition, boolean mine, long atNanos) {
        return new Look(PartitionCursor.start(partition), mine, false, false, atNanos);
    }

    /** Somebody has left: from the beginning, however far it had come. One that is urgent already is not put off. */
    Look anew(long atNanos) {
        boolean sooner = urgent && this.atNanos - atNanos < 0;
        return new Look(PartitionCursor.start(partition()), mine, true, false, sooner ? this.atNanos : atNanos);
    }

    /** The partition is led here now: nobody else is waited for. */
    Look takenOver(long nowNanos) {
        return mine ? this : new Look(from, true, urgent, passedBy, nowNanos);
    }

    /** The partition is led by others now. */
    Look handedBack() {
        return mine ? new Look(from, false, urgent, passedBy, atNanos) : this;
    }

    /** All others that are due take their turn first. */
    Look putBehind(long nowNanos) {
        return new Look(from, mine, urgent, passedBy, nowNanos + 1);
    }

    /**
     * After a page.
     *
     * @param next where to go on; {@code null}: this was the last page
     * @param locked whether a row of this page was left out
     */
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
