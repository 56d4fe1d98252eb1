package io.delayjob.jdbc.dialect;

/** Settings that precede PostgreSQL's statements in the same round trip. They end with the transaction. */
final class PostgreSqlSettings {

    /**
     * The server plans batches of ids and of keys for the present size of the tables, which takes a fraction of a
     * millisecond.
     */
    static final String PLANNED_ANEW = "SET LOCAL plan_cache_mode = force_custom_plan;\n";

    /**
     * Looks up each id of a batch. The planner assumes that it is cheaper to read a whole table of some ten thousand
     * rows. That is wrong, because the next batch reads the whole table again.
     */
    static final String ONE_BY_ONE = "SET LOCAL enable_hashjoin = off;\nSET LOCAL enable_mergejoin = off;\n";

    /**
     * Reads pages along the index, in its order, to the end of the page. Without statistics the planner expects few
     * rows in the range and would rather collect and sort them.
     */
    static final String ALONG_THE_INDEX = "SET LOCAL enable_seqscan = off;\nSET LOCAL enable_bitmapscan = off;\n";

    /**
     * Ends a silent transaction. An engine sends its statements without pauses, so a process that pauses between them
     * counts as stopped.
     */
    static final String ENDED_WHEN_SILENT = "SET LOCAL idle_in_transaction_session_timeout = '5s';\n";

    /** Limits the wait for a lock. Most transactions that hold a row end within this time. */
    private static final String HARDLY_WAITING = "SET LOCAL lock_timeout = '5ms';\n";

    /** Settings of {@linkplain Straight straight} transitions of a batch. */
    static final String STRAIGHT = ENDED_WHEN_SILENT + HARDLY_WAITING + PLANNED_ANEW + ALONG_THE_INDEX;

    /**
     * Settings of straight transitions of few rows, each found by its primary key. Every kept plan along the index is
     * good, and planning would take longer than running.
     */
    static final String STRAIGHT_TO_FEW = ENDED_WHEN_SILENT + HARDLY_WAITING + ALONG_THE_INDEX;

    private PostgreSqlSettings() {}
}
