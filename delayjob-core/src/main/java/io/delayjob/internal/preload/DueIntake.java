package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

@FunctionalInterface
public interface DueIntake {

    /**
     * Never throws an exception, and never blocks. If a newer version of a row is known, the row is ignored.
     *
     * @param asOfNanos a monotonic time that was taken before these rows were read or written
     * @return the rows that found no place in memory; ignored rows are not returned; the caller can read the returned
     *     rows again later
     */
    List<DueRow> offer(List<DueRow> rows, long asOfNanos);
}
