package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/** Receives rows that were read from the store or written to it. */
@FunctionalInterface
public interface DueIntake {

    /**
     * Receives committed rows. Never throws an exception, and never blocks. Ignores a row if a newer version is known.
     *
     * @param asOfNanos a monotonic time that was taken before these rows were read or written
     * @return the rows that found no place in memory, without ignored rows; the caller can read these rows again later
     */
    List<DueRow> offer(List<DueRow> rows, long asOfNanos);
}
