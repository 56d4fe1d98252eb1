package io.delayjob.jdbc.dialect;

/** Pages of unfinished jobs that are due or soon will be, with a few columns of each row. Immutable and thread-safe. */
public abstract class PageSql {

    PageSql() {}

    /**
     * Whether {@link #dueAfter()}, {@link #overdue()} and {@link #claimed()} take one cursor, as single values.
     * Otherwise they take arrays of cursors.
     */
    public boolean looksThroughOnePartition() {
        return false;
    }

    /** Returns the next page of waiting rows after each cursor, as due rows in any order. */
    public abstract String dueAfter();

    /**
     * Looks at the next {@code :lookAt} unfinished rows behind each cursor. Answers those that wait and have one of
     * some names, and always the last one: as due rows, with whether they are wanted, and their place. At most
     * {@code :limit} rows of each cursor, in any order.
     */
    public abstract String overdue();

    /**
     * Looks at the next {@code :limit} unfinished rows behind each cursor. Answers those that run, and always the last
     * one: as due rows, with whether they run, their place, and their owner, in any order.
     */
    public abstract String claimed();

    /**
     * Returns the numbers of the partitions that hold unfinished jobs, each with the earliest due time of these jobs.
     */
    public abstract String partitionsInUse();
}
