package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/**
 * The SQL for pages of unfinished jobs that are due now or soon, with a few columns of each row. Immutable and
 * thread-safe.
 */
public abstract class PageSql {

    PageSql() {}

    /**
     * Tells whether {@link #dueAfter()}, {@link #overdue()} and {@link #claimed()} take one cursor at a time. If not,
     * they take arrays of cursors.
     */
    public boolean looksThroughOnePartition() {
        return false;
    }

    /** Returns the next page of waiting rows after each cursor, as due rows in any order. */
    public abstract String dueAfter();

    /**
     * Reads the next {@code :lookAt} unfinished rows after each cursor. The statement returns the waiting rows that
     * have one of the given names. For each cursor, the statement also returns the row in place {@code :lookAt}, even
     * if this row does not match. For each cursor, it returns at most {@code :limit} rows, in any order. Each returned
     * row is a due row with its place among the rows that were read. A mark tells whether the row waits and has one of
     * the given names.
     */
    public abstract String overdue();

    /**
     * Reads the next {@code :limit} unfinished rows after each cursor. The statement returns all these rows as due
     * rows, in any order. Each row has a mark, which tells whether the row is waiting and has one of the given names.
     * The method returns {@code null} if this statement would cost no less than {@link #overdue()} for the same number
     * of rows.
     */
    public @Nullable String nextRows() {
        return null;
    }

    /**
     * Reads the next {@code :limit} unfinished rows after each cursor. Of these rows, the statement returns the running
     * ones, in any order. For each cursor, it also returns the row in place {@code :limit}, even if that row is not
     * running. Each returned row is a due row with its place in the page and its owner. The row also tells whether its
     * job runs.
     */
    public abstract String claimed();

    /** Returns the numbers of the partitions that have unfinished jobs, and the earliest due time in each. */
    public abstract String partitionsInUse();
}
