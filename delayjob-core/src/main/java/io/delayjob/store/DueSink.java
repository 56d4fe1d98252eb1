package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/** Receives rows that are due now or soon: the wheel of this instance. */
@FunctionalInterface
public interface DueSink {

    /** Drops all rows. It is for callers that can leave their rows to the sweep. */
    DueSink NONE = rows -> {};

    /**
     * Returns a sink for rows that are being changed now. A store calls this method once it has locked these rows, or
     * read them for a compare and set, and before their change can be seen. Two changes of one job may be handed over
     * in the wrong order, and the times of these calls tell which one came later. Never throws, never blocks.
     */
    default DueSink asOfNow() {
        return this;
    }

    /** Takes committed rows. Never throws, never blocks; may drop any row, because the sweep finds it. */
    void accept(List<DueRow> rows);
}
