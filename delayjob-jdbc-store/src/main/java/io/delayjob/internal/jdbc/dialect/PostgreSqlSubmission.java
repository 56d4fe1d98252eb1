package io.delayjob.internal.jdbc.dialect;

import org.jspecify.annotations.Nullable;

final class PostgreSqlSubmission extends SubmissionSql {

    private static final String INSERTED_JOBS = """
            INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner)
            SELECT n.id, n.partition_id, n.name, n.job_key, n.payload, n.schedule, n.retry, n.trace, n.extras, {delayed}, n.token,
                n.scheduled_at, n.planned_at, n.due_at, 1, 0, 0, 0, 0, FALSE, 0
            FROM {new_jobs}
            """;

    private static final String INSERTED_JOB = """
            INSERT INTO {job} (id, partition_id, name, job_key, payload, schedule, retry, trace, extras, state, token,
                scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner)
            VALUES (:id, :partition, :name, :key, :payload, :schedule, :retry, :trace, :extras, {delayed}, :token,
                :scheduledAt, :plannedAt, :dueAt, 1, 0, 0, 0, 0, FALSE, 0)
            """;

    private static final String UNLESS_TAKEN = "ON CONFLICT DO NOTHING\nRETURNING id\n";

    @Override
    public Script insertJobs() {
        return Script.of(INSERTED_JOBS + UNLESS_TAKEN);
    }

    /**
     * The statement reads both tables as they were at one moment. Therefore it also finds a row that moves to the
     * history.
     */
    @Override
    public Script insertFollowers() {
        return Script.of(INSERTED_JOBS + """
                WHERE NOT EXISTS (SELECT 1 FROM {job} j WHERE j.id = n.id)
                  AND NOT EXISTS (SELECT 1 FROM {history} h WHERE h.id = n.id)
                """ + UNLESS_TAKEN);
    }

    /** Jobs without keys need neither {@code ON CONFLICT} nor {@code RETURNING}. */
    @Override
    public Script insertUnkeyedJobs() {
        return Script.writing(INSERTED_JOBS);
    }

    @Override
    public @Nullable BulkWriter bulkWriter() {
        return PostgreSqlDialect.HAS_ITS_DRIVER ? new PostgreSqlCopy() : null;
    }

    @Override
    public Script insertJob() {
        return Script.of(INSERTED_JOB + UNLESS_TAKEN);
    }

    /**
     * The statement has no {@code ON CONFLICT}. This clause would write one more record to the database's log for each
     * row.
     */
    @Override
    public Script insertUnkeyedJob() {
        return Script.writing(INSERTED_JOB);
    }

    @Override
    public Script replaceJobs() {
        return Script.of("""
                UPDATE {job} j
                SET partition_id = n.partition_id, payload = n.payload, schedule = n.schedule, retry = n.retry, trace = n.trace, extras = n.extras, token = n.token,
                    scheduled_at = n.scheduled_at, planned_at = n.planned_at, due_at = n.due_at,
                    run = 1, failures = 0, rescues = 0
                FROM {new_jobs}
                WHERE j.name = n.name AND j.job_key = n.job_key AND j.state = {delayed} AND NOT j.awaiting
                    AND {not_a_member}
                RETURNING j.id, j.partition_id, j.name, j.due_at, j.token, {claim_keys_of_job}, j.job_key
                """);
    }

    @Override
    public Script postponeJobs() {
        return Script.of("""
                UPDATE {job} j
                SET partition_id = n.partition_id, due_at = n.due_at,
                    planned_at = CASE WHEN j.failures = 0 AND j.rescues = 0 THEN n.planned_at ELSE j.planned_at END,
                    token = n.token
                FROM {new_jobs}
                WHERE j.name = n.name AND j.job_key = n.job_key AND j.state = {delayed} AND NOT j.awaiting
                RETURNING j.id, j.partition_id, j.name, j.due_at, j.token, {claim_keys_of_job}, j.job_key
                """);
    }

    @Override
    public Script takeKeys() {
        return Script.of("""
                UPDATE {job} j
                SET job_key = NULL, cancel_requested = TRUE
                FROM {keys}
                WHERE j.name = k.name AND j.job_key = k.job_key AND (j.state = {running} OR j.awaiting)
                RETURNING j.id
                """);
    }
}
