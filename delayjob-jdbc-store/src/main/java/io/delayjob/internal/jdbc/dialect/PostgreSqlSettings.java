package io.delayjob.internal.jdbc.dialect;

/** Settings that are sent before statements, in the same round trip. The settings end with the transaction. */
final class PostgreSqlSettings {

    /** The server plans each execution anew, which takes a fraction of a millisecond. */
    static final String PLANNED_ANEW = "SET LOCAL plan_cache_mode = force_custom_plan;\n";

    /** Without this setting, the planner might read a whole table of some ten thousand rows for each batch. */
    static final String ONE_BY_ONE = "SET LOCAL enable_hashjoin = off;\nSET LOCAL enable_mergejoin = off;\n";

    /** If a table has no statistics, the planner would otherwise collect and sort all rows of a range. */
    static final String ALONG_THE_INDEX = "SET LOCAL enable_seqscan = off;\nSET LOCAL enable_bitmapscan = off;\n";

    /** An engine sends its statements without pauses, so a silent client counts as stopped. */
    static final String ENDED_WHEN_SILENT = "SET LOCAL idle_in_transaction_session_timeout = '5s';\n";

    /** Most transactions that have locked a row end within this time. */
    private static final String HARDLY_WAITING = "SET LOCAL lock_timeout = '5ms';\n";

    static final String STRAIGHT = ENDED_WHEN_SILENT + HARDLY_WAITING + PLANNED_ANEW + ALONG_THE_INDEX;

    /**
     * Settings for {@linkplain Straight#few() few rows}. For few rows, a new plan would take longer than the statement
     * itself.
     */
    static final String STRAIGHT_TO_FEW = ENDED_WHEN_SILENT + HARDLY_WAITING + ALONG_THE_INDEX;

    private PostgreSqlSettings() {}
}
