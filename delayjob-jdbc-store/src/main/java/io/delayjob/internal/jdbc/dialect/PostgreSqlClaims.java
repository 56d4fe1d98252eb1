package io.delayjob.internal.jdbc.dialect;

final class PostgreSqlClaims extends ClaimSql {

    private static final String CLAIMED =
            "state = {running}, owner = :owner, token = :freshToken, attempt = CASE WHEN awaiting THEN attempt ELSE attempt + 1 END,"
                    + " started_at = GREATEST(:now, due_at)";

    /**
     * Compares the states after the rows are locked. A condition on both state and token could make the planner avoid
     * the primary key. A locked row is found again by its place in the table, which saves an index look-up. A place is
     * unique only within its table, so the id is compared, too.
     */
    @Override
    public Script claim() {
        return Script.of("""
                WITH picked AS (
                    SELECT j.id AS picked_id, j.ctid AS place, j.state AS picked_state
                    FROM {tokens}
                    JOIN {job} j ON j.id = u.id
                    WHERE j.token = u.token
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job} j
                SET %s
                FROM picked
                WHERE j.ctid = place AND j.id = picked_id AND picked_state = {delayed}
                RETURNING {job_columns}
                """.formatted(CLAIMED));
    }

    /**
     * The comparison of tokens includes the state, for the reason that {@link #claim()} describes. The {@linkplain
     * PostgreSqlBatch place} in the batch can be read faster than an id. With the place, the store finds the row
     * without a search.
     */
    @Override
    public Straight claimStraight() {
        return new Straight(
                Script.of(PostgreSqlSettings.STRAIGHT + claiming("j.id = ANY(b.ids)")),
                Script.of(PostgreSqlSettings.STRAIGHT_TO_FEW + claiming(PostgreSqlBatch.AT_PLACES)),
                Script.of(PostgreSqlSettings.STRAIGHT_TO_FEW + """
                        UPDATE {job} j
                        SET %s
                        WHERE j.id = :id AND j.token = :token AND j.state = {delayed}
                        RETURNING 1 AS place, {claimed_columns}
                        """.formatted(CLAIMED)));
    }

    private static String claiming(String found) {
        return """
                UPDATE {job} j
                SET %s
                FROM %s
                WHERE %s AND CASE WHEN j.state = {delayed} THEN j.token END = %s
                RETURNING %s, {claimed_columns}
                """.formatted(CLAIMED, PostgreSqlBatch.BATCH, found, PostgreSqlBatch.TOKEN, PostgreSqlBatch.PLACE);
    }

    @Override
    public Script release() {
        return Script.of("""
                WITH picked AS (
                    SELECT j.id AS picked_id
                    FROM {tokens}
                    JOIN {job} j ON j.id = u.id
                    WHERE j.token IN (u.token, :claimToken)
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job}
                SET state = {delayed}, owner = 0, token = :freshToken
                FROM picked
                WHERE id = picked_id
                RETURNING {job_columns}
                """);
    }

    @Override
    public Script rescue() {
        return Script.of("""
                WITH picked AS (
                    SELECT j.id AS picked_id
                    FROM {tokens}
                    JOIN {job} j ON j.id = u.id
                    WHERE j.token = u.token
                    ORDER BY j.id
                    FOR UPDATE OF j SKIP LOCKED
                )
                UPDATE {job}
                SET state = {delayed}, owner = 0, token = :freshToken, due_at = :now,
                    failures = failures + 1, rescues = rescues + 1, in_doubt = in_doubt + 1, awaiting = FALSE
                FROM picked
                WHERE id = picked_id
                RETURNING {job_columns}
                """);
    }
}
