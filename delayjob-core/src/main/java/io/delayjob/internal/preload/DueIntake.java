package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.List;

/**
 * Where rows go that were read from the table: says what it had no room for, so that the reader can come back for it,
 * and is not misled by a page that later news of the same job have overtaken.
 */
@FunctionalInterface
public interface DueIntake {

    /**
     * Takes committed rows. Never throws, never blocks.
     *
     * @param asOfNanos monotonic time at which reading them began: of a job of which something later is known, nothing
     *     is taken
     * @return the rows it had no room for now; not those that it dropped for good, such as duplicates
     */
    List<DueRow> offer(List<DueRow> rows, long asOfNanos);
}
