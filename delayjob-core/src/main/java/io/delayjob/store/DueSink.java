package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/** Receives new and changed rows whose jobs are now waiting. */
@FunctionalInterface
public interface DueSink {

    /** A sink that keeps no rows. */
    DueSink NONE = rows -> {};

    /**
     * Returns a sink for the rows of one change. Two changes of a job may reach the sink in the wrong order. So the
     * sink may remember the order of the calls to this method, and ignore the earlier change. A store calls this method
     * after it has locked or read the rows, and before other callers can see the change. Therefore, the calls have the
     * same order as the changes. This method never throws an exception, and never blocks.
     */
    default DueSink asOfNow() {
        return this;
    }

    /**
     * Receives committed rows. This method never throws an exception, and never blocks. The sink may ignore any row.
     */
    void accept(List<DueRow> rows);
}
