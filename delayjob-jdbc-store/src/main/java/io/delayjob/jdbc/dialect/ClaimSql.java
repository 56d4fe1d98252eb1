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
     * Claims like {@link #claim()}, but without locking first. Returns for each claimed row its place in the batch,
     * counted from 1, and <code>{claimed_columns}</code>. {@code null} if this saves no work in this database.
     */
    public @Nullable Straight claimStraight() {
        return null;
    }

    /** Releases jobs that were claimed, or may still be claimed, and returns them. Skips locked jobs. */
    public abstract Script release();

    /** Rescues lost jobs: they wait, are due now, and are returned. Skips locked jobs. */
    public abstract Script rescue();
}
