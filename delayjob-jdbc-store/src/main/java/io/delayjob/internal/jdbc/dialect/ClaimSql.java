package io.delayjob.internal.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** The SQL to claim, release and rescue jobs. Immutable and thread-safe. */
public abstract class ClaimSql {

    ClaimSql() {}

    /**
     * Claims waiting jobs and returns them. The script first locks the rows, in the order of the primary key. It finds
     * these rows by id and token, and skips rows that are already locked.
     */
    public abstract Script claim();

    /**
     * Claims jobs like {@link #claim()}, but does not lock the rows first. For each claimed row, the script returns the
     * row's place in the batch, counted from 1, and then <code>{claimed_columns}</code>. The method returns {@code
     * null} if {@link #claim()} is just as cheap in this database.
     */
    public @Nullable Straight claimStraight() {
        return null;
    }

    /**
     * Releases jobs, and returns them. For each row, the script accepts two tokens: the token before the claim, and the
     * token of the claim. The script skips locked jobs.
     */
    public abstract Script release();

    /** Rescues lost jobs, so that they wait and are due now, and returns them. The script skips locked jobs. */
    public abstract Script rescue();
}
