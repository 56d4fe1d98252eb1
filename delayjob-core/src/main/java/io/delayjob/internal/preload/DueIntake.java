package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * Receives rows that were read from the store or written to it. If memory has no place for a row, the row is returned.
 * The caller can then read the row again later. If a newer version of a row is known, the row is ignored.
 */
@FunctionalInterface
public interface DueIntake {

    /**
     * Receives committed rows. This method never throws an exception, and never blocks.
     *
     * @param asOfNanos a monotonic time that was taken before these rows were read or written. A row is ignored if a
     *     newer version is known
     * @return the rows that found no place in memory; ignored rows are not returned
     */
    List<DueRow> offer(List<DueRow> rows, long asOfNanos);
}
