package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/** Receives the rows that a change has written, if the jobs of these rows are now waiting. */
@FunctionalInterface
public interface DueSink {

    /** A sink that keeps no rows. */
    DueSink NONE = rows -> {};

    /**
     * Returns a sink for rows that are being changed now. Two changes of one job may reach the sink in the wrong order.
     * However, the sink knows the order in which this method was called. The later call belongs to the later change. To
     * call the method in the order of the changes, a store first locks or reads the rows. Then the store calls this
     * method, before other callers can see the change. This method never throws an exception, and never blocks.
     */
    default DueSink asOfNow() {
        return this;
    }

    /**
     * Receives committed rows. This method never throws an exception, and never blocks. The sink may ignore any row.
     */
    void accept(List<DueRow> rows);
}
