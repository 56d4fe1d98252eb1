package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** The transitions that decide which instance may run a job: claim, release and rescue. Immutable and thread-safe. */
public abstract class ClaimSql {

    ClaimSql() {}

    /**
     * Claims waiting jobs and returns them. It locks rows first, in the order of the primary key, and skips rows that
     * are locked. It compares only id and token.
     */
    public abstract Script claim();

    /**
     * Claims like {@link #claim()}, but without locking first. Returns the place of each claimed row in the batch,
     * counted from 1, and <code>{claimed_columns}</code>. {@code null} if that saves no work in this database.
     */
    public @Nullable Straight claimStraight() {
        return null;
    }

    /** Makes claimed or claimable jobs wait again, and returns them. Skips locked jobs. */
    public abstract Script release();

    /** Makes lost jobs wait again, due now, and returns them. Skips locked jobs. */
    public abstract Script rescue();
}
