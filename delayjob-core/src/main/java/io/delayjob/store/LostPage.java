package io.delayjob.store;

import io.delayjob.job.DueRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a look for lost attempts has found in its part of a partition.
 *
 * @param rows rows that run and whose owner is not registered
 * @param next where to look on; {@code null} when no row that has come due lies behind
 */
public record LostPage(List<DueRow> rows, @Nullable PartitionCursor next) {

    /** Nothing here, and nothing behind. */
    public static final LostPage NONE = new LostPage(List.of(), null);

    public LostPage {
        rows = List.copyOf(rows);
    }
}
