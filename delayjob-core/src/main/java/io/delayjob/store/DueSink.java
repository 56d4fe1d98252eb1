package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/** Receives new and changed rows whose jobs are now waiting. */
@FunctionalInterface
public interface DueSink {

    /** A sink that keeps no rows. */
    DueSink NONE = rows -> {};

    /**
     * Returns a sink for the rows of one change. Two changes of a job can reach the sink in the wrong order. The sink
     * may then ignore the earlier change, which is the change with the earlier call of this method. A store calls this
     * method after it has locked or read the rows, and before other callers can see the change. Therefore, the calls
     * have the same order as the changes. This method never throws an exception, and never blocks.
     */
    default DueSink asOfNow() {
        return this;
    }

    /**
     * Receives committed rows. This method never throws an exception, and never blocks. The sink may ignore any row.
     */
    void accept(List<DueRow> rows);
}
