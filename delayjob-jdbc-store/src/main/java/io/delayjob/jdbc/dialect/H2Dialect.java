package io.delayjob.jdbc.dialect;

import java.util.List;

/**
 * H2, for one instance. A transition locks its rows first, then changes them by {@code MERGE}; {@code FINAL TABLE}
 * answers what was changed.
 *
 * <p>Claims lock by id alone, for H2 locks the rows that a {@code LIMIT} leaves out as well; in retention that does no
 * harm. The engine's transitions skip rows that an application's transaction holds, so that they never wait for one;
 * applications wait for each other for at most H2's lock timeout (2 s unless the URL says otherwise).
 */
final class H2Dialect extends Dialect {

    private static final String LOCK_IDS = """
            SELECT id
            FROM {job}
            WHERE id = ANY(CAST(:id AS UUID ARRAY))
            FOR UPDATE SKIP LOCKED
            """;

    private static final String LOCK_KEYS = """
            SELECT id
            FROM {job}
            WHERE id IN (SELECT j.id FROM {keys} JOIN {job} j ON j.name = k.name AND j.job_key = k.job_key)
            FOR UPDATE
            """;

    H2Dialect() {
        super("H2", "h2", "2.2");
    }

    @Override
    public boolean keepsTimeoutOnConnection() {
        return true;
    }

    @Override
    public boolean looksThroughOnePartition() {
        return true;
    }

    /** A row that only the transaction sees. H2 releases savepoints whether they are there or not. */
    @Override
    public Mark mark() {
        return new Mark("""
                CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS delayjob_mark (id INTEGER) ON COMMIT DELETE ROWS TRANSACTIONAL;
                INSERT INTO delayjob_mark VALUES (1)
                """, "SELECT id FROM delayjob_mark");
    }

    @Override
    public Script insertJobs() {
        return Script.of("""
                SELECT id
                FROM FINAL TABLE (
                    INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                        scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner)
                    SELECT n.id, n.partition_id, n.name, n.job_key, n.payload, n.schedule, n.retry, n.trace, {delayed},
                        n.token, n.scheduled_at, n.planned_at, n.due_at, 1, 0, 0, 0, 0, FALSE, 0
                    FROM {new_jobs}
                    WHERE NOT EXISTS (SELECT 1 FROM {job} j WHERE j.id = n.id)
                      AND NOT EXISTS (SELECT 1 FROM {job} j WHERE j.name = n.name AND j.job_key = n.job_key)
                )
                """);
    }

    @Override
    public Script replaceJobs() {
        return Script.locking(LOCK_KEYS, """
                SELECT id, partition_id, name, due_at, token, job_key
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {new_jobs}) n
                    ON j.name = n.name AND j.job_key = n.job_key AND j.id = ANY(CAST(:locked AS UUID ARRAY))
                        AND j.state = {delayed}
                    WHEN MATCHED THEN UPDATE
                    SET partition_id = n.partition_id, payload = n.payload, schedule = n.schedule, retry = n.retry, trace = n.trace, token = n.token,
                        scheduled_at = n.scheduled_at, planned_at = n.planned_at, due_at = n.due_at,
                        run = 1, failures = 0, rescues = 0
                )
                """);
    }

    @Override
    public Script postponeJobs() {
        return Script.locking(LOCK_KEYS, """
                SELECT id, partition_id, name, due_at, token, job_key
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {new_jobs}) n
                    ON j.name = n.name AND j.job_key = n.job_key AND j.id = ANY(CAST(:locked AS UUID ARRAY))
                        AND j.state = {delayed}
                    WHEN MATCHED THEN UPDATE
                    SET partition_id = n.partition_id, due_at = n.due_at,
                        planned_at = CASE WHEN j.failures = 0 AND j.rescues = 0 THEN n.planned_at ELSE j.planned_at END,
                        token = n.token
                )
                """);
    }

    @Override
    public Script takeKeys() {
        return Script.locking(LOCK_KEYS, """
                SELECT id
                FROM FINAL TABLE (
                    UPDATE {job}
                    SET job_key = NULL, cancel_requested = TRUE
                    WHERE id = ANY(CAST(:locked AS UUID ARRAY)) AND state = {running}
                )
                """);
    }

    @Override
    public Script reviveJob() {
        return Script.of("""
                SELECT id, partition_id, name, due_at, token
                FROM FINAL TABLE (
                    INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,
                        scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,
                        started_at)
                    SELECT h.id, h.partition_id, h.name, h.job_key, h.payload, h.schedule, h.retry, h.trace, {delayed},
                        :freshToken, h.scheduled_at, :dueAt, :dueAt, h.run, h.attempt, 0, 0, h.in_doubt, FALSE, 0,
                        h.started_at
                    FROM {history} h
                    WHERE h.id = :id AND h.state = {failed}
                      AND NOT EXISTS (SELECT 1 FROM {job} j WHERE j.id = h.id)
                      AND NOT EXISTS (SELECT 1 FROM {job} j WHERE j.name = h.name AND j.job_key = h.job_key)
                )
                """);
    }

    @Override
    public Script claim() {
        return Script.locking(LOCK_IDS, """
                SELECT {job_columns}
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {tokens}) u
                    ON j.id = u.id AND j.token = u.token AND j.state = {delayed} AND j.id = ANY(CAST(:locked AS UUID ARRAY))
                    WHEN MATCHED THEN UPDATE
                    SET state = {running}, owner = :owner, token = :freshToken, attempt = j.attempt + 1,
                        started_at = GREATEST(:now, j.due_at)
                )
                """);
    }

    @Override
    public Script release() {
        return Script.locking(LOCK_IDS, """
                SELECT {job_columns}
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {tokens}) u
                    ON j.id = u.id AND j.token IN (u.token, :claimToken) AND j.id = ANY(CAST(:locked AS UUID ARRAY))
                    WHEN MATCHED THEN UPDATE
                    SET state = {delayed}, owner = 0, token = :freshToken
                )
                """);
    }

    @Override
    public Script rescue() {
        return Script.locking(LOCK_IDS, """
                SELECT {job_columns}
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {tokens}) u
                    ON j.id = u.id AND j.token = u.token AND j.id = ANY(CAST(:locked AS UUID ARRAY))
                    WHEN MATCHED THEN UPDATE
                    SET state = {delayed}, owner = 0, token = :freshToken, due_at = :now,
                        failures = j.failures + 1, rescues = j.rescues + 1, in_doubt = j.in_doubt + 1
                )
                """);
    }

    @Override
    public Script endJobs() {
        return new Script(LOCK_IDS, List.of("""
                        INSERT INTO {history} ({history_columns})
                        SELECT j.id, j.partition_id, j.name, j.job_key,
                            CASE WHEN e.state = {failed} THEN j.payload END,
                            j.schedule, j.retry, j.trace, e.state, e.fresh_token, j.scheduled_at, e.planned_at, j.due_at,
                            e.run, j.attempt, j.failures, j.rescues, GREATEST(0, j.in_doubt + e.doubt),
                            j.cancel_requested, j.started_at, e.ended_at,
                            e.failure_type, e.failure_message, e.failure_trace
                        FROM {ended_jobs}
                        WHERE e.keep AND j.id = ANY(CAST(:locked AS UUID ARRAY))
                        """, """
                        DELETE FROM {attempt}
                        WHERE job_id IN (
                            SELECT j.id
                            FROM {ended_jobs}
                            WHERE NOT e.keep AND j.id = ANY(CAST(:locked AS UUID ARRAY))
                        )
                        """), """
                SELECT id
                FROM OLD TABLE (
                    DELETE FROM {job}
                    WHERE id IN (SELECT j.id FROM {ended_jobs}) AND id = ANY(CAST(:locked AS UUID ARRAY))
                )
                """);
    }

    @Override
    public Script returnJobs() {
        return Script.locking(LOCK_IDS, """
                SELECT id
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {returns}) r
                    ON j.id = r.id AND j.token = r.token AND NOT j.cancel_requested
                        AND j.id = ANY(CAST(:locked AS UUID ARRAY))
                    WHEN MATCHED THEN UPDATE
                    SET state = {delayed}, owner = 0, token = r.fresh_token, run = r.run, planned_at = r.planned_at,
                        due_at = r.due_at, failures = r.failures,
                        rescues = CASE WHEN r.new_run THEN 0 ELSE j.rescues END,
                        in_doubt = GREATEST(0, j.in_doubt + r.doubt)
                )
                """);
    }

    @Override
    public Script settleDoubt() {
        return Script.locking(LOCK_IDS, """
                SELECT id
                FROM FINAL TABLE (
                    UPDATE {job}
                    SET in_doubt = GREATEST(0, in_doubt - :by)
                    WHERE id = ANY(CAST(:locked AS UUID ARRAY))
                )
                """);
    }

    @Override
    public Script settleDoubtInHistory() {
        return Script.locking("""
                SELECT id
                FROM {history}
                WHERE id = ANY(CAST(:id AS UUID ARRAY))
                FOR UPDATE SKIP LOCKED
                """, """
                SELECT id
                FROM FINAL TABLE (
                    UPDATE {history}
                    SET in_doubt = GREATEST(0, in_doubt - :by)
                    WHERE id = ANY(CAST(:locked AS UUID ARRAY))
                )
                """);
    }

    @Override
    public String pruneAttempts() {
        return """
                DELETE FROM {attempt} a
                WHERE a.job_id = ANY(CAST(:id AS UUID ARRAY)) AND a.id <= (
                    SELECT n.id FROM {attempt} n WHERE n.job_id = a.job_id ORDER BY n.id DESC LIMIT 1 OFFSET :keep
                )
                """;
    }

    @Override
    public String dueAfter() {
        return """
                SELECT id, partition_id, name, due_at, token
                FROM {job}
                WHERE partition_id = :partition
                  AND (due_at, id) > (:due, :id)
                  AND due_at <= :until
                  AND state = {delayed}
                ORDER BY due_at, id
                LIMIT :limit
                """;
    }

    /** In the very order of the index, lest H2 sort all that is overdue. */
    @Override
    public String overdue() {
        return """
                SELECT id, partition_id, name, due_at, token, wanted, place
                FROM (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token,
                        p.state = {delayed} AND p.name = ANY(CAST(:name AS CHARACTER VARYING ARRAY)) AS wanted,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT id, partition_id, name, due_at, token, state
                        FROM {job}
                        WHERE partition_id = :partition
                          AND due_at >= :due AND (due_at, id) > (:due, :id)
                          AND due_at <= :until
                        ORDER BY partition_id, due_at, id
                        LIMIT :lookAt
                    ) AS p
                ) AS looked
                WHERE wanted OR place = :lookAt
                ORDER BY due_at, id
                LIMIT :limit
                """;
    }

    /** In the very order of the index, as {@link #overdue()}. */
    @Override
    public String lost() {
        return """
                SELECT id, partition_id, name, due_at, token, lost, place
                FROM (
                    SELECT p.id, p.partition_id, p.name, p.due_at, p.token,
                        p.state = {running}
                            AND NOT EXISTS (SELECT 1 FROM {instance} i WHERE i.number = p.owner) AS lost,
                        ROW_NUMBER() OVER (ORDER BY p.due_at, p.id) AS place
                    FROM (
                        SELECT id, partition_id, name, due_at, token, state, owner
                        FROM {job}
                        WHERE partition_id = :partition
                          AND due_at >= :due AND (due_at, id) > (:due, :id)
                          AND due_at <= :until
                        ORDER BY partition_id, due_at, id
                        LIMIT :limit
                    ) AS p
                ) AS page
                WHERE lost OR place = :limit
                """;
    }

    /** H2 hops along the index for what is distinct, and looks up the first row of each; to group it reads them all. */
    @Override
    public String partitionsInUse() {
        return """
                SELECT u.partition_id, (
                    SELECT j.due_at
                    FROM {job} j
                    WHERE j.partition_id = u.partition_id
                    ORDER BY j.partition_id, j.due_at, j.id
                    LIMIT 1
                )
                FROM (SELECT DISTINCT partition_id FROM {job}) AS u
                """;
    }

    @Override
    public Script purgeHistory() {
        return Script.locking("""
                SELECT id
                FROM {history}
                WHERE state = :state AND ended_at < :before
                    AND (state <> {cancelled} OR job_key IS NULL OR job_key <> :declaredKey)
                ORDER BY ended_at
                LIMIT :limit
                FOR UPDATE
                """, """
                DELETE FROM {attempt}
                WHERE job_id = ANY(CAST(:locked AS UUID ARRAY))
                """, """
                SELECT id
                FROM OLD TABLE (DELETE FROM {history} WHERE id = ANY(CAST(:locked AS UUID ARRAY)))
                """);
    }

    @Override
    public Script registerInstance() {
        return Script.of("""
                SELECT number
                FROM FINAL TABLE (
                    INSERT INTO {instance} (incarnation, queues, handlers, stopping, beats)
                    VALUES (:incarnation, :queues, :handlers, FALSE, 0)
                )
                """);
    }

    @Override
    public Script beat() {
        return Script.of("""
                SELECT CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(9)) * 1000000) AS BIGINT)
                FROM FINAL TABLE (UPDATE {instance} SET beats = beats + 1, stopping = :stopping WHERE number = :number)
                """);
    }

    @Override
    public String insertNotice() {
        return """
                MERGE INTO {notice} n
                USING (VALUES (CAST(:kind AS SMALLINT), CAST(:name AS CHARACTER VARYING), CAST(:owner AS BIGINT),
                    CAST(:now AS BIGINT))) AS v(kind, name, owner, noted_at)
                ON n.kind = v.kind AND n.name = v.name
                WHEN NOT MATCHED THEN INSERT (kind, name, owner, noted_at) VALUES (v.kind, v.name, v.owner, v.noted_at)
                """;
    }

    /** The names first, each of which finds its notice by the primary key. */
    @Override
    public String deleteNotices() {
        return """
                MERGE INTO {notice} t
                USING (SELECT * FROM UNNEST(CAST(:name AS CHARACTER VARYING ARRAY)) AS u(name)) n
                ON t.kind = :kind AND t.name = n.name AND t.owner = :owner
                WHEN MATCHED THEN DELETE
                """;
    }

    @Override
    public String clock() {
        return "SELECT CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(9)) * 1000000) AS BIGINT)";
    }

    @Override
    public String shortenLock() {
        return """
                UPDATE {lock}
                SET lock_until = TIMESTAMPADD(MICROSECOND, :micros, CURRENT_TIMESTAMP(3))
                WHERE name = :name AND lock_until > TIMESTAMPADD(MICROSECOND, :micros, CURRENT_TIMESTAMP(3))
                """;
    }
}
