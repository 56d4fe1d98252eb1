package io.delayjob.internal.jdbc.dialect;

final class H2Submission extends SubmissionSql {

    /**
     * The rows are locked in the order of their ids. If a job loses its key while the statement waits for the lock, the
     * statement leaves out the job.
     */
    private static final String JOBS_OF_KEYS = """
            FROM (
                SELECT m.id, m.job_key
                FROM {keys}
                JOIN {job} m ON m.name = k.name AND m.job_key = k.job_key
                ORDER BY m.id
            ) o
            JOIN {job} j ON j.id = o.id AND j.job_key = o.job_key
            """;

    private static final String LOCK_KEYS = "SELECT j.id\n" + JOBS_OF_KEYS + "FOR UPDATE\n";

    private static final String INSERT_UNLESS_THERE = """
            SELECT id
            FROM FINAL TABLE (
                INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                    scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner)
                SELECT n.id, n.partition_id, n.name, n.job_key, n.payload, n.schedule, n.retry, n.trace, n.extras, {delayed},
                    n.token, n.scheduled_at, n.planned_at, n.due_at, 1, 0, 0, 0, 0, FALSE, 0
                FROM {new_jobs}
                WHERE NOT EXISTS (SELECT 1 FROM {job} j WHERE j.id = n.id)
                  AND NOT EXISTS (SELECT 1 FROM %s)
            )
            """;

    @Override
    public Script insertJobs() {
        return Script.of(INSERT_UNLESS_THERE.formatted("{job} j WHERE j.name = n.name AND j.job_key = n.job_key"));
    }

    /** If another transaction inserts the same row meanwhile, the statement fails, and the next try sees the row. */
    @Override
    public Script insertFollowers() {
        return Script.of(INSERT_UNLESS_THERE.formatted("{history} h WHERE h.id = n.id"));
    }

    @Override
    public String lockWaiting() {
        return "SELECT j.name, j.job_key, j.extras\n" + JOBS_OF_KEYS + """
                WHERE j.state = {delayed} AND NOT j.awaiting AND j.extras IS NOT NULL
                FOR UPDATE
                """;
    }

    @Override
    public Script replaceJobs() {
        return Script.locking(LOCK_KEYS, """
                SELECT id, partition_id, name, due_at, token, {claim_keys}, job_key
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {new_jobs}) n
                    ON j.name = n.name AND j.job_key = n.job_key AND j.state = {delayed} AND NOT j.awaiting
                        AND {not_a_member}
                    WHEN MATCHED THEN UPDATE
                    SET partition_id = n.partition_id, payload = n.payload, schedule = n.schedule, retry = n.retry, trace = n.trace, extras = n.extras, token = n.token,
                        scheduled_at = n.scheduled_at, planned_at = n.planned_at, due_at = n.due_at,
                        run = 1, failures = 0, rescues = 0
                )
                """);
    }

    @Override
    public Script postponeJobs() {
        return Script.locking(LOCK_KEYS, """
                SELECT id, partition_id, name, due_at, token, {claim_keys}, job_key
                FROM FINAL TABLE (
                    MERGE INTO {job} j
                    USING (SELECT * FROM {new_jobs}) n
                    ON j.name = n.name AND j.job_key = n.job_key AND j.state = {delayed} AND NOT j.awaiting
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
                    MERGE INTO {job} j
                    USING (SELECT * FROM {locked}) l
                    ON j.id = l.id AND (j.state = {running} OR j.awaiting)
                    WHEN MATCHED THEN UPDATE
                    SET job_key = NULL, cancel_requested = TRUE
                )
                """);
    }
}
