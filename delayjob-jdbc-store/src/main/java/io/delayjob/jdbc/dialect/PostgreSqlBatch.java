package io.delayjob.jdbc.dialect;

/**
 * SQL for the ids and tokens of a batch, sorted by id. A statement looks up all ids together. A join with the batch
 * would look up each id separately. These separate lookups would make up two thirds of the work to end a job. They
 * would make up a tenth of the work to claim a job. From version 17 on, PostgreSQL reads a page of the index once for
 * all ids on it.
 */
final class PostgreSqlBatch {

    static final String BATCH = "(SELECT CAST(:id AS UUID ARRAY) AS ids, CAST(:token AS BIGINT ARRAY) AS tokens) AS b";

    /**
     * The place of a found row in the batch, counted from 1. The server finds the place by a binary search in the
     * sorted ids.
     */
    static final String PLACE = "WIDTH_BUCKET(j.id, b.ids)";

    static final String TOKEN = "b.tokens[" + PLACE + "]";

    /**
     * Finds the rows of a small batch by a plan that the server may keep. For each id, the statement looks up the place
     * of the row in the table, which is its {@code ctid}. Then the statement reads the rows at these places. The server
     * may make a plan for {@code id = ANY} or for a join while the table is empty. Later, this plan may read all rows
     * of the table. A row that another transaction has just changed has a new {@code ctid}, and is not found. Rows are
     * changed in the order of their {@code ctid}, and not of their ids. If two statements wait for each other, the lock
     * timeout ends one of them.
     */
    static final String AT_PLACES = """
            j.ctid = ANY (ARRAY(
                    SELECT (SELECT f.ctid FROM {job} f WHERE f.id = u.id)
                    FROM UNNEST(CAST(:id AS UUID ARRAY)) AS u(id)))
                AND j.id = b.ids[%s]""".formatted(PLACE);

    private PostgreSqlBatch() {}
}
