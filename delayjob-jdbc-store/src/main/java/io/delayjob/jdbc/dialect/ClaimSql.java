package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/** The SQL to claim, release and rescue jobs. Immutable and thread-safe. */
public abstract class ClaimSql {

    ClaimSql() {}

    /**
     * Claims waiting jobs and returns them. The script first locks the rows, in the order of the primary key. It skips
     * locked rows, and compares only id and token.
     */
    public abstract Script claim();

    /**
     * Claims jobs like {@link #claim()}, but does not lock the rows first. For each claimed row, the script returns its
     * place in the batch, counted from 1, and <code>{claimed_columns}</code>. {@code null} if such a script saves no
     * work in this database.
     */
    public @Nullable Straight claimStraight() {
        return null;
    }

    /**
     * Releases jobs, and returns them. A row may have its token from before or after the claim. The script skips locked
     * jobs.
     */
    public abstract Script release();

    /** Rescues lost jobs, so that they wait and are due now, and returns them. The script skips locked jobs. */
    public abstract Script rescue();
}
