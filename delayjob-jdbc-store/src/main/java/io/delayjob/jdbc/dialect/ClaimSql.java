package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** The transitions that decide which instance may run a job: claim, release and rescue. Immutable and thread-safe. */
public abstract class ClaimSql {

    ClaimSql() {}

    /**
     * Claims waiting jobs. It locks first, in the order of the primary key, skips rows that are locked, and compares id
     * and token only. Answers the claimed jobs.
     */
    public abstract Script claim();

    /**
     * As {@link #claim()}, but locks no row first, and answers <code>{claimed_columns}</code>; {@code null} if that is no
     * less work.
     */
    public @Nullable Straight claimStraight() {
        return null;
    }

    /** Makes claimed or claimable jobs wait again, skips locked ones, and answers the jobs. */
    public abstract Script release();

    /** Makes lost jobs wait again, due now, skips locked ones, and answers the jobs. */
    public abstract Script rescue();
}
