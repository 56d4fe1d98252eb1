package io.delayjob.jdbc.dialect;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parts that many statements share, whatever the database. */
final class Fragments {

    /** The columns of an unfinished job, in the order in which the store reads them. */
    static final String JOB_COLUMNS = "id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,"
            + " scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, owner,"
            + " started_at";

    /** What a claimed row tells its claimer anew: of the rest it has seen the row, or has just written it. */
    private static final String CLAIMED_COLUMNS = "j.id, j.job_key, j.payload, j.schedule, j.retry, j.trace,"
            + " j.scheduled_at, j.planned_at, j.run, j.attempt, j.failures, j.rescues, j.in_doubt, j.cancel_requested";

    private static final String HISTORY_COLUMNS =
            "id, partition_id, name, job_key, payload, schedule, retry, trace, state, token, scheduled_at, planned_at,"
                    + " due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, started_at, ended_at,"
                    + " failure_type, failure_message, failure_trace";

    /** A job as people read it, from either table, with the columns of its end behind the others. */
    private static final String UNFINISHED_ROW = JOB_COLUMNS
            + ", {no_time} AS ended_at, {no_text} AS failure_type, {no_text} AS failure_message,"
            + " {no_text} AS failure_trace";

    private static final String ENDED_ROW =
            "id, partition_id, name, job_key, payload, schedule, retry, trace, state, token,"
                    + " scheduled_at, planned_at, due_at, run, attempt, failures, rescues, in_doubt, cancel_requested,"
                    + " 0 AS owner, started_at, ended_at, failure_type, failure_message, failure_trace";

    private Fragments() {}

    /**
     * These, each by its placeholder, then a family of databases' own, in their order. A part may hold the placeholders
     * of those behind it.
     */
    static Map<String, String> with(Map<String, String> own) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("{job_columns}", JOB_COLUMNS);
        all.put("{claimed_columns}", CLAIMED_COLUMNS);
        all.put("{history_columns}", HISTORY_COLUMNS);
        all.put("{unfinished_row}", UNFINISHED_ROW);
        all.put("{ended_row}", ENDED_ROW);
        all.putAll(own);
        return all;
    }
}
