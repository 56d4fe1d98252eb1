package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** Pages of unfinished jobs that are due now or soon, with a few columns of each row. Immutable and thread-safe. */
public abstract class PageSql {

    PageSql() {}

    /**
     * Tells whether {@link #dueAfter()}, {@link #overdue()} and {@link #claimed()} take one cursor at a time. Otherwise
     * they take arrays of cursors.
     */
    public boolean looksThroughOnePartition() {
        return false;
    }

    /** Returns the next page of waiting rows after each cursor, as due rows in any order. */
    public abstract String dueAfter();

    /**
     * Reads the next {@code :lookAt} unfinished rows after each cursor. Returns the waiting rows that have one of the
     * given names, and always the last row: at most {@code :limit} rows of each cursor, in any order. Each returned row
     * is a due row with its place, and with a mark that tells whether the row is wanted.
     */
    public abstract String overdue();

    /**
     * Reads the next {@code :limit} unfinished rows after each cursor. Returns all of them as due rows in any order. A
     * mark of each row tells whether it waits and has one of the given names. {@code null} if this is not less work in
     * this database than {@link #overdue()} for the same number of rows.
     */
    public @Nullable String nextRows() {
        return null;
    }

    /**
     * Reads the next {@code :limit} unfinished rows after each cursor. Returns the running rows, and always the last
     * row, in any order. Each is a due row with its place and owner, and with a mark that tells whether it runs.
     */
    public abstract String claimed();

    /**
     * Returns the numbers of the partitions that hold unfinished jobs, each with the earliest due time of these jobs.
     */
    public abstract String partitionsInUse();
}
