package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * Receives rows that a change has written, and whose jobs now wait. The sink of an engine keeps the rows that are due
 * now or soon.
 */
@FunctionalInterface
public interface DueSink {

    /** A sink that drops all rows. A caller uses it if the sweep is to find its rows. */
    DueSink NONE = rows -> {};

    /**
     * Returns a sink for rows that are being changed now. Two changes of one job may reach the sink in the wrong order.
     * The time of this call tells which change came later. So a store calls this method after it has locked these rows,
     * or has read them for a compare and set, and before other callers can see the change. Never throws, never blocks.
     */
    default DueSink asOfNow() {
        return this;
    }

    /** Receives committed rows. Never throws, never blocks. May drop any row, because the sweep finds it. */
    void accept(List<DueRow> rows);
}
