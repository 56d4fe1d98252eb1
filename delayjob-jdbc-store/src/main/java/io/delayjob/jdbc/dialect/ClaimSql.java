package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.Nullable;

/**
 * The SQL to claim, release and rescue jobs. These statements decide which instance may run a job. Immutable and
 * thread-safe.
 */
public abstract class ClaimSql {

    ClaimSql() {}

    /**
     * Claims waiting jobs and returns them. The script first locks the rows, in the order of the primary key. It skips
     * rows that another transaction has locked. It compares only id and token.
     */
    public abstract Script claim();

    /**
     * Claims jobs like {@link #claim()}, but does not lock the rows first. For each claimed row, the script returns its
     * place in the batch, counted from 1, and <code>{claimed_columns}</code>. If a claim without locks saves no work in
     * this database, this method returns {@code null}.
     */
    public @Nullable Straight claimStraight() {
        return null;
    }

    /**
     * Releases jobs, and returns them. The jobs are claimed, or it is unknown whether their claim was applied. The
     * script skips locked jobs.
     */
    public abstract Script release();

    /** Rescues lost jobs, so that they wait and are due now, and returns them. The script skips locked jobs. */
    public abstract Script rescue();
}
