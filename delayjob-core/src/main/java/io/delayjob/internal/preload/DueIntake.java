package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * Takes rows that were read from the table, or written to it. It returns the rows for which it has no room, so that the reader can read
 * them again later. It ignores a row of a page if a newer version of that row is known.
 */
@FunctionalInterface
public interface DueIntake {

    /**
     * Takes committed rows. Never throws, never blocks.
     *
     * @param asOfNanos monotonic time before these rows were read, or before they were written; a row is ignored if a
     *     newer version of it is known
     * @return the rows for which it has no room now, without rows that it dropped for good, such as duplicates
     */
    List<DueRow> offer(List<DueRow> rows, long asOfNanos);
}
