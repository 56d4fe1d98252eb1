package io.delayjob.jdbc.dialect;

/** Settings that are sent before statements, in the same round trip. They end with the transaction. */
final class PostgreSqlSettings {

    /**
     * Makes the server plan each statement for the present size of the tables. The planning takes a fraction of a
     * millisecond.
     */
    static final String PLANNED_ANEW = "SET LOCAL plan_cache_mode = force_custom_plan;\n";

    /**
     * Makes the server look up each id of a batch. For a table of some ten thousand rows, the planner assumes that it
     * is cheaper to read the whole table. But each further batch would then read the whole table again.
     */
    static final String ONE_BY_ONE = "SET LOCAL enable_hashjoin = off;\nSET LOCAL enable_mergejoin = off;\n";

    /**
     * Makes the server read a page in the order of the index, and stop at the end of the page. Without statistics the
     * planner expects few rows in the range, and would collect and sort all of them.
     */
    static final String ALONG_THE_INDEX = "SET LOCAL enable_seqscan = off;\nSET LOCAL enable_bitmapscan = off;\n";

    /**
     * Ends a transaction if its client is silent. An engine sends its statements without pauses, so a client that
     * pauses within a transaction is treated as stopped.
     */
    static final String ENDED_WHEN_SILENT = "SET LOCAL idle_in_transaction_session_timeout = '5s';\n";

    /** Limits the wait for a lock. Most transactions that have locked a row end within this time. */
    private static final String HARDLY_WAITING = "SET LOCAL lock_timeout = '5ms';\n";

    static final String STRAIGHT = ENDED_WHEN_SILENT + HARDLY_WAITING + PLANNED_ANEW + ALONG_THE_INDEX;

    /**
     * Settings for {@linkplain Straight#few() few rows}. Each row is looked up by its primary key, so the server may
     * keep the plan. A new plan would take longer than the statement itself.
     */
    static final String STRAIGHT_TO_FEW = ENDED_WHEN_SILENT + HARDLY_WAITING + ALONG_THE_INDEX;

    private PostgreSqlSettings() {}
}
