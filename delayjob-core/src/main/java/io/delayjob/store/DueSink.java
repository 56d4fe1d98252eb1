package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/** Receives waiting rows after a change. The sink of an engine keeps the rows that are due now or soon. */
@FunctionalInterface
public interface DueSink {

    /** Drops all rows. For callers that leave it to the sweep to find their rows. */
    DueSink NONE = rows -> {};

    /**
     * Returns a sink for rows that are being changed now. A store calls this method after it has locked these rows, or
     * has read them for a compare and set, and before other callers can see the change. Two changes of one job may
     * reach the sink in the wrong order. The time of this call tells which change came later. Never throws, never
     * blocks.
     */
    default DueSink asOfNow() {
        return this;
    }

    /** Receives committed rows. Never throws, never blocks. May drop any row, because the sweep finds it. */
    void accept(List<DueRow> rows);
}
