package io.delayjob.jdbc.dialect;

import java.util.Map;

/**
 * Parts that many statements share. Rows that go in travel as arrays, one per column, and are unnested: one statement, and
 * one plan, whatever the size of the batch. The types are written in the standard's way, which PostgreSQL and H2 both read.
 */
final class Fragments {

    /** The columns of an unfinished job, in the order in which the store reads them. */
    private static final String JOB_COLUMNS =
            "id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,"
                    + " scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,"
                    + " started_at";

    private static final String HISTORY_COLUMNS =
            "id, partition_id, name, job_key, payload, schedule, retry, trace, state, token, scheduled_at, planned_at,"
                    + " due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, started_at, ended_at,"
                    + " failure_type, failure_message, failure_trace";

    /** A job as people read it, from either table, with the columns of its end behind the others. */
    private static final String UNFINISHED_ROW = JOB_COLUMNS
            + ", CAST(NULL AS BIGINT) AS ended_at, CAST(NULL AS CHARACTER VARYING) AS failure_type,"
            + " CAST(NULL AS CHARACTER VARYING) AS failure_message, CAST(NULL AS CHARACTER VARYING) AS failure_trace";

    private static final String ENDED_ROW =
            "id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,"
                    + " scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested,"
                    + " CAST(0 AS BIGINT) AS owner, started_at, ended_at, failure_type, failure_message, failure_trace";

    private static final String NEW_JOBS = """
            UNNEST(
                CAST(:id AS UUID ARRAY),
                CAST(:partition AS INTEGER ARRAY),
                CAST(:name AS CHARACTER VARYING ARRAY),
                CAST(:key AS CHARACTER VARYING ARRAY),
                CAST(:payload AS CHARACTER VARYING ARRAY),
                CAST(:schedule AS CHARACTER VARYING ARRAY),
                CAST(:retry AS CHARACTER VARYING ARRAY),
                CAST(:trace AS CHARACTER VARYING ARRAY),
                CAST(:token AS BIGINT ARRAY),
                CAST(:scheduledAt AS BIGINT ARRAY),
                CAST(:plannedAt AS BIGINT ARRAY),
                CAST(:dueAt AS BIGINT ARRAY)
            ) AS n(id, partition_id, name, job_key, payload, schedule, retry, trace, token,
                   scheduled_at, planned_at, due_at)""";

    private static final String ENDINGS = """
            UNNEST(
                CAST(:id AS UUID ARRAY),
                CAST(:token AS BIGINT ARRAY),
                CAST(:freshToken AS BIGINT ARRAY),
                CAST(:state AS SMALLINT ARRAY),
                CAST(:run AS INTEGER ARRAY),
                CAST(:plannedAt AS BIGINT ARRAY),
                CAST(:endedAt AS BIGINT ARRAY),
                CAST(:doubt AS INTEGER ARRAY),
                CAST(:failureType AS CHARACTER VARYING ARRAY),
                CAST(:failureMessage AS CHARACTER VARYING ARRAY),
                CAST(:failureTrace AS CHARACTER VARYING ARRAY),
                CAST(:keep AS BOOLEAN ARRAY)
            ) AS e(id, token, fresh_token, state, run, planned_at, ended_at, doubt,
                   failure_type, failure_message, failure_trace, keep)""";

    /** The jobs that match their ending: a cancellation that was requested rules out a dead letter. */
    private static final String ENDED_JOBS = ENDINGS + """

            JOIN {job} j ON j.id = e.id AND j.token = e.token AND NOT (e.state = {failed} AND j.cancel_requested)""";

    private static final String RETURNS = """
            UNNEST(
                CAST(:id AS UUID ARRAY),
                CAST(:token AS BIGINT ARRAY),
                CAST(:freshToken AS BIGINT ARRAY),
                CAST(:run AS INTEGER ARRAY),
                CAST(:newRun AS BOOLEAN ARRAY),
                CAST(:plannedAt AS BIGINT ARRAY),
                CAST(:dueAt AS BIGINT ARRAY),
                CAST(:failures AS INTEGER ARRAY),
                CAST(:doubt AS INTEGER ARRAY)
            ) AS r(id, token, fresh_token, run, new_run, planned_at, due_at, failures, doubt)""";

    private static final String TOKENS =
            "UNNEST(CAST(:id AS UUID ARRAY), CAST(:token AS BIGINT ARRAY)) AS u(id, token)";

    private static final String KEYS =
            "UNNEST(CAST(:name AS CHARACTER VARYING ARRAY), CAST(:key AS CHARACTER VARYING ARRAY)) AS k(name, job_key)";

    /** Each by its placeholder. */
    static final Map<String, String> ALL = Map.of(
            "{job_columns}", JOB_COLUMNS,
            "{history_columns}", HISTORY_COLUMNS,
            "{unfinished_row}", UNFINISHED_ROW,
            "{ended_row}", ENDED_ROW,
            "{new_jobs}", NEW_JOBS,
            "{endings}", ENDINGS,
            "{ended_jobs}", ENDED_JOBS,
            "{returns}", RETURNS,
            "{tokens}", TOKENS,
            "{keys}", KEYS);

    private Fragments() {}
}
