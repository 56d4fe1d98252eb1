package io.delayjob.internal.jdbc.dialect;

final class H2Claims extends ClaimSql {

    @Override
    public Script claim() {
        return Script.locking(H2Dialect.LOCK_IDS, """
                SELECT {job_columns}
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {locked_tokens}) u
                    ON j.id = u.id AND j.token = u.token AND j.state = {delayed}
                    WHEN MATCHED THEN UPDATE
                    SET state = {running}, owner = :owner, token = :freshToken, attempt = CASE WHEN j.awaiting THEN j.attempt ELSE j.attempt + 1 END,
                        started_at = GREATEST(:now, j.due_at)
                )
                """);
    }

    @Override
    public Script release() {
        return Script.locking(H2Dialect.LOCK_IDS, """
                SELECT {job_columns}
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {locked_tokens}) u
                    ON j.id = u.id AND j.token IN (u.token, :claimToken)
                    WHEN MATCHED THEN UPDATE
                    SET state = {delayed}, owner = 0, token = :freshToken
                )
                """);
    }

    @Override
    public Script rescue() {
        return Script.locking(H2Dialect.LOCK_IDS, """
                SELECT {job_columns}
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {locked_tokens}) u
                    ON j.id = u.id AND j.token = u.token
                    WHEN MATCHED THEN UPDATE
                    SET state = {delayed}, owner = 0, token = :freshToken, due_at = :now,
                        failures = j.failures + 1, rescues = j.rescues + 1, in_doubt = j.in_doubt + 1,
                        awaiting = FALSE
                )
                """);
    }
}
