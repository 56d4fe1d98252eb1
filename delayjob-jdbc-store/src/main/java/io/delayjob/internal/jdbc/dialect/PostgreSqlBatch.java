package io.delayjob.internal.jdbc.dialect;

/**
 * SQL for the ids and tokens of a batch, sorted by id. A statement looks up all ids together. A join would look up each
 * id separately. These look-ups would be two thirds of the work to end a job.
 */
final class PostgreSqlBatch {

    static final String BATCH = "(SELECT CAST(:id AS UUID ARRAY) AS ids, CAST(:token AS BIGINT ARRAY) AS tokens) AS b";

    /** The place of a row's id in the sorted ids, counted from 1. The server finds this place by a binary search. */
    static final String PLACE = "WIDTH_BUCKET(j.id, b.ids)";

    static final String TOKEN = "b.tokens[" + PLACE + "]";

    /**
     * Finds the rows of a small batch by a plan that the server may keep. The statement reads each row at its place in
     * the table, which is the {@code ctid} of the row. A plan for {@code id = ANY} or for a join may read all rows. The
     * server makes such a plan while the table is empty. A row that another transaction has just changed is not found.
     * If two statements wait for each other, the lock timeout ends one of them.
     */
    static final String AT_PLACES = """
            j.ctid = ANY (ARRAY(
                    SELECT (SELECT f.ctid FROM {job} f WHERE f.id = u.id)
                    FROM UNNEST(CAST(:id AS UUID ARRAY)) AS u(id)))
                AND j.id = b.ids[%s]""".formatted(PLACE);

    private PostgreSqlBatch() {}
}
