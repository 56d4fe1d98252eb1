package io.delayjob.internal.jdbc.dialect;

final class MySqlSubmission extends SubmissionSql {

    private static final String INSERTED_JOBS = """
            INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner)
            SELECT UNHEX(b.id), b.partition_id, b.name, b.job_key, b.payload, b.schedule, b.retry, b.trace, b.extras, {delayed},
                b.token, b.scheduled_at, b.planned_at, b.due_at, 1, 0, 0, 0, 0, FALSE, 0
            FROM {new_jobs}
            """;

    @Override
    public boolean insertsAllOrNothing() {
        return true;
    }

    /** {@code ON DUPLICATE KEY} and {@code IGNORE} would lock the gaps next to every inserted key. */
    @Override
    public Script insertJobs() {
        return Script.writing(INSERTED_JOBS);
    }

    /**
     * A plain read finds existing rows, because the insert itself would lock a gap for each missing row. If the new
     * jobs have no keys, {@code ON DUPLICATE KEY} locks no gaps.
     */
    @Override
    public Script insertFollowers() {
        return Script.answering("""
                SELECT UNHEX(b.id) AS id
                FROM {new_jobs}
                LEFT JOIN {job} j FORCE INDEX (PRIMARY) ON j.id = UNHEX(b.id)
                LEFT JOIN {history} h FORCE INDEX (PRIMARY) ON h.id = UNHEX(b.id)
                WHERE j.id IS NULL AND h.id IS NULL
                """, INSERTED_JOBS + """
                WHERE UNHEX(b.id) IN (SELECT UNHEX(l.id) FROM {locked})
                ON DUPLICATE KEY UPDATE id = VALUES(id)
                """);
    }

    @Override
    public String findKeys() {
        return """
                SELECT j.name, j.job_key, j.id, {seen_state_of_job} AS state
                FROM {keys}
                {job_of_key}
                """;
    }

    @Override
    public String findLatestKeys() {
        return findKeys() + "{for_share}";
    }

    @Override
    public String lockWaiting() {
        return """
                SELECT j.name, j.job_key, j.extras
                FROM {keys}
                {job_of_key}
                WHERE j.state = {delayed} AND NOT j.awaiting AND j.extras IS NOT NULL
                {for_update}
                """;
    }

    @Override
    public Script replaceJobs() {
        return Script.answering("""
                SELECT j.id, b.partition_id, j.name, b.due_at, b.token, {claim_keys_of_batch}, j.job_key
                FROM {new_jobs}
                {job_of_key}
                WHERE j.state = {delayed} AND NOT j.awaiting AND {not_a_member}
                {for_update}
                """, """
                UPDATE {new_jobs}
                {job_of_key}
                SET j.partition_id = b.partition_id, j.payload = b.payload, j.schedule = b.schedule, j.retry = b.retry, j.trace = b.trace, j.extras = b.extras,
                    j.token = b.token, j.scheduled_at = b.scheduled_at, j.planned_at = b.planned_at, j.due_at = b.due_at,
                    j.run = 1, j.failures = 0, j.rescues = 0
                WHERE {is_locked}
                """);
    }

    @Override
    public Script postponeJobs() {
        return Script.answering("""
                SELECT j.id, b.partition_id, j.name, b.due_at, b.token, {claim_keys_of_job}, j.job_key
                FROM {new_jobs}
                {job_of_key}
                WHERE j.state = {delayed} AND NOT j.awaiting
                {for_update}
                """, """
                UPDATE {new_jobs}
                {job_of_key}
                SET j.partition_id = b.partition_id, j.due_at = b.due_at,
                    j.planned_at = CASE WHEN j.failures = 0 AND j.rescues = 0 THEN b.planned_at ELSE j.planned_at END,
                    j.token = b.token
                WHERE {is_locked}
                """);
    }

    @Override
    public Script takeKeys() {
        return Script.answering(
                """
                SELECT j.id
                FROM {keys}
                {job_of_key}
                WHERE j.state = {running} OR j.awaiting
                {for_update}
                """, MySqlDialect.CHANGE_LOCKED.formatted("j.job_key = NULL, j.cancel_requested = TRUE"));
    }
}
