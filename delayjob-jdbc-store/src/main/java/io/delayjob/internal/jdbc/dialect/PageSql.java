package io.delayjob.internal.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** The SQL for pages of unfinished jobs that are due now or soon. Immutable and thread-safe. */
public abstract class PageSql {

    PageSql() {}

    /**
     * Tells whether {@link #dueAfter()}, {@link #overdue()} and {@link #claimed()} take one cursor at a time.
     * Otherwise, these statements take arrays of cursors.
     */
    public boolean looksThroughOnePartition() {
        return false;
    }

    /** Returns the next page of waiting rows after each cursor, in any order, with the columns of a {@code DueRow}. */
    public abstract String dueAfter();

    /**
     * Reads the next {@code :lookAt} unfinished rows after each cursor. The statement returns the waiting rows that
     * have one of the given names. For each cursor, the statement also returns row number {@code :lookAt} after the
     * cursor. The statement returns at most {@code :limit} rows for each cursor, in any order. Each returned row has
     * the columns of a {@code DueRow} and two further columns, in this order: a mark that tells whether the row is
     * waiting and has one of the names, and the row's number after the cursor.
     */
    public abstract String overdue();

    /**
     * Reads the next {@code :limit} unfinished rows after each cursor, and returns all of them in any order. A mark
     * tells whether the row is waiting and has one of the given names. If such a statement would not be cheaper than
     * {@link #overdue()}, the dialect has none, and the method returns {@code null}.
     */
    public @Nullable String nextRows() {
        return null;
    }

    /**
     * Reads the next {@code :limit} unfinished rows after each cursor. Of these rows, the statement returns the rows of
     * running jobs, in any order. For each cursor, the statement also returns row number {@code :limit} after the
     * cursor. Each returned row has the columns of a {@code DueRow} and three further columns, in this order: a mark
     * that tells whether the job is running, the row's number after the cursor, and the job's owner.
     */
    public abstract String claimed();

    /**
     * Returns the partitions that have unfinished jobs, and the earliest due time in each. In a transaction of its own,
     * the store first sends {@link ReadSql#alongTheIndex()}.
     */
    public abstract String partitionsInUse();
}
