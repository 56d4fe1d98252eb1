package io.delayjob.store;

import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import java.util.UUID;

/**
 * Describes a place among the rows of a partition, which are ordered by (due time, id). A cursor does not prove that
 * all earlier rows were read, because some rows are committed late.
 *
 * @param dueMillis due time in milliseconds since the epoch
 * @param id the id at this place; rows with the same due time and a higher id come after it
 */
public record PartitionCursor(Partition partition, long dueMillis, JobId id) {

    private static final JobId BEFORE_ALL = new JobId(new UUID(0, 0));
    private static final JobId AFTER_ALL = new JobId(new UUID(-1, -1));

    /** Returns the cursor before all rows of the partition. */
    public static PartitionCursor start(Partition partition) {
        return new PartitionCursor(partition, Long.MIN_VALUE, BEFORE_ALL);
    }

    /** Returns a cursor that stands directly before this row. */
    public static PartitionCursor before(DueRow row) {
        if (row.id().equals(BEFORE_ALL)) {
            return behind(row.partition(), row.dueMillis() - 1);
        }
        UUID id = row.id().value();
        long low = id.getLeastSignificantBits() - 1;
        // If the low half of the 128 bits was zero, the high half decreases, too.
        long high = id.getMostSignificantBits() - (low == -1 ? 1 : 0);
        return new PartitionCursor(row.partition(), row.dueMillis(), new JobId(new UUID(high, low)));
    }

    /** Returns a cursor that stands directly after this row. */
    public static PartitionCursor at(DueRow row) {
        return new PartitionCursor(row.partition(), row.dueMillis(), row.id());
    }

    /** Tells whether the given row comes after this cursor. The row must be in the partition of the cursor. */
    public boolean isBefore(DueRow row) {
        return dueMillis < row.dueMillis() || dueMillis == row.dueMillis() && id.compareTo(row.id()) < 0;
    }

    /** Returns the cursor after all rows that are due at or before {@code dueMillis}. */
    public static PartitionCursor behind(Partition partition, long dueMillis) {
        return new PartitionCursor(partition, dueMillis, AFTER_ALL);
    }
}
