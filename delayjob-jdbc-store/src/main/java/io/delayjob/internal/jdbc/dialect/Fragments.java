package io.delayjob.internal.jdbc.dialect;

import io.delayjob.job.ClaimKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

final class Fragments {

    private static final List<String> NAMES = List.of(
            "id",
            "partition_id",
            "name",
            "job_key",
            "payload",
            "schedule",
            "retry",
            "trace",
            "state",
            "token",
            "scheduled_at",
            "planned_at",
            "due_at",
            "run",
            "attempt",
            "failures",
            "rescues",
            "in_doubt",
            "cancel_requested",
            "owner",
            "started_at",
            "awaiting",
            "extras");

    /**
     * Columns that a claim returns. The place of the row in the batch comes first. If a column has its usual value, the
     * claim returns {@code NULL}, because a comparison costs less than sending the value.
     */
    private static final String CLAIMED_COLUMNS = "j.job_key, " + payload("j.") + ", j.schedule, j.retry, j.trace,"
            + " j.scheduled_at, NULLIF(j.planned_at, j.due_at), NULLIF(j.run, 1), NULLIF(j.attempt, 1),"
            + " NULLIF(j.failures, 0), NULLIF(j.rescues, 0), NULLIF(j.in_doubt, 0), NULLIF(j.cancel_requested, FALSE),"
            + " NULLIF(j.awaiting, FALSE), j.extras, "
            + oversizeBytes("j.");

    private static final String HISTORY_COLUMNS =
            "id, partition_id, name, job_key, payload, schedule, retry, trace, state, token, scheduled_at, planned_at,"
                    + " due_at, run, attempt, failures, rescues, in_doubt, cancel_requested, started_at, called_at,"
                    + " ended_at, failure_type, failure_message, failure_trace, extras, keep_seconds";

    private static final String JOB_COLUMNS = jobColumns("", Map.of());

    /** Contains the same columns as {@link #ENDED_ROW}, so that one query can return unfinished and ended jobs. */
    private static final String UNFINISHED_ROW = JOB_COLUMNS
            + ", {no_time} AS called_at, {no_time} AS ended_at, {no_text} AS failure_type, {no_text} AS failure_message,"
            + " {no_text} AS failure_trace";

    private static final String ENDED_ROW =
            jobColumns("", Map.of("owner", "0 AS owner", "awaiting", "FALSE AS awaiting"))
                    + ", called_at, ended_at, failure_type, failure_message, failure_trace";

    /**
     * A member of a group may be replaced only if the new job is also a member of a group. In the extras, the line with
     * the group's id always follows a line break, and values contain no line breaks.
     */
    static final String NOT_A_MEMBER =
            "(j.extras IS NULL OR j.extras NOT LIKE '%%\ngroup-id %%' OR %s.extras LIKE '%%\ngroup-id %%')";

    /** In the table, an awaiting job has the state {@code delayed}. */
    private static final String SEEN_STATE =
            "CASE WHEN %1$sstate = {delayed} AND %1$sawaiting THEN {awaiting} ELSE %1$sstate END";

    private Fragments() {}

    /** A part may contain the placeholders of parts that come later in the map. */
    static Map<String, String> with(Map<String, String> own) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("{job_columns}", JOB_COLUMNS);
        all.put("{claimed_columns}", CLAIMED_COLUMNS);
        all.put("{history_columns}", HISTORY_COLUMNS);
        all.put("{unfinished_row}", UNFINISHED_ROW);
        all.put("{ended_row}", ENDED_ROW);
        all.put("{seen_state}", SEEN_STATE.formatted(""));
        all.put("{seen_state_of_job}", SEEN_STATE.formatted("j."));
        all.put("{claim_keys}", claimKeys(""));
        all.put("{claim_keys_of_job}", claimKeys("j."));
        all.put("{claim_keys_of_batch}", claimKeys("b."));
        all.putAll(own);
        return all;
    }

    /**
     * The columns are in the order in which the store reads them.
     *
     * @param table prefix of the columns' names
     * @param changed SQL that replaces the plain column, by the name of the column
     */
    static String jobColumns(String table, Map<String, String> changed) {
        return NAMES.stream()
                        .map(name -> changed.getOrDefault(name, name.equals("payload") ? payload(table) : table + name))
                        .collect(Collectors.joining(", "))
                + ", " + oversizeBytes(table);
    }

    /** Leaves out a payload that is too long. PostgreSQL knows the length of a payload without reading the payload. */
    private static String payload(String table) {
        return "CASE WHEN OCTET_LENGTH(%1$spayload) <= {max_payload_bytes} THEN %1$spayload END AS payload"
                .formatted(table);
    }

    private static String oversizeBytes(String table) {
        return ("CASE WHEN OCTET_LENGTH(%1$spayload) > {max_payload_bytes} THEN OCTET_LENGTH(%1$spayload) END"
                        + " AS oversize_bytes")
                .formatted(table);
    }

    /**
     * The keys stand at the beginning of the extras, which may be long. PostgreSQL would fetch the whole value for
     * {@code LIKE}, so the SQL uses {@code SUBSTRING}.
     */
    private static String claimKeys(String table) {
        String letters = ClaimKeys.FIRST_LETTERS
                .chars()
                .mapToObj(letter -> "'" + (char) letter + "'")
                .collect(Collectors.joining(", "));
        return "CASE WHEN SUBSTRING(%1$sextras, 1, 1) IN (%2$s) THEN SUBSTRING(%1$sextras, 1, %3$d) END"
                .formatted(table, letters, ClaimKeys.WITHIN);
    }
}
