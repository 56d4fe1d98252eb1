package io.delayjob.jdbc.dialect;

/**
 * The ids and tokens of a batch, sorted by id. A statement looks up all ids together. A join with the batch would begin
 * a new look-up for each id, which costs two thirds of an end and a tenth of a claim. From version 17 on, the server
 * reads a page of the index once for all ids that lie on it.
 */
final class PostgreSqlBatch {

    /** The batch as {@code b}. */
    static final String BATCH = "(SELECT CAST(:id AS UUID ARRAY) AS ids, CAST(:token AS BIGINT ARRAY) AS tokens) AS b";

    /** The place of a found row in the batch, counted from 1. The server searches the sorted ids by halves. */
    static final String PLACE = "WIDTH_BUCKET(j.id, b.ids)";

    /** The token that a found row must bear. */
    static final String TOKEN = "b.tokens[" + PLACE + "]";

    private PostgreSqlBatch() {}
}
