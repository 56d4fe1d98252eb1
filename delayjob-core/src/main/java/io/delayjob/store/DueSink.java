package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * Receives the rows that a change has written, if the jobs of these rows are now waiting. The sink of an engine keeps
 * the rows that are due now or soon.
 */
@FunctionalInterface
public interface DueSink {

    /** A sink that keeps no rows, for a caller that leaves its rows to the sweep. */
    DueSink NONE = rows -> {};

    /**
     * Returns a sink for rows that are being changed now. Two changes of one job may reach the sink in the wrong order.
     * The sink knows when this method was called for each change. So it knows which change came later. Therefore a
     * store first locks or reads the rows, and then calls this method. It must make the call before other callers can
     * see the change. This method never throws an exception, and never blocks.
     */
    default DueSink asOfNow() {
        return this;
    }

    /**
     * Receives committed rows. This method never throws an exception, and never blocks. The sink may ignore any row,
     * because the sweep finds it later.
     */
    void accept(List<DueRow> rows);
}
