package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;

/** Receives rows that are due now or soon: the wheel of this instance. */
@FunctionalInterface
public interface DueSink {

    /** Drops all rows. It is for callers that can leave their rows to the sweep. */
    DueSink NONE = rows -> {};

    /** Takes committed rows. Never throws, never blocks; may drop any row, because the sweep finds it. */
    void accept(List<DueRow> rows);
}
