package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * Receives rows that were read from the table or written to it. It returns the rows for which there is no room, so that
 * the caller can read them again later. It ignores a row if it knows a newer version of that row.
 */
@FunctionalInterface
public interface DueIntake {

    /**
     * Receives committed rows. Never throws, never blocks.
     *
     * @param asOfNanos monotonic time before these rows were read or written; a row is ignored if a newer version is
     *     known
     * @return the rows for which there is no room now, without the rows that were ignored
     */
    List<DueRow> offer(List<DueRow> rows, long asOfNanos);
}
