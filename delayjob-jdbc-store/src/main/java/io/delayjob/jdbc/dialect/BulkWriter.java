package io.delayjob.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes many new jobs without keys as one stream. The database takes in rows while the client still writes others. A
 * driver has no statement for that, so a dialect brings this writer along. The statements around the stream are run by
 * the store. Thread-safe.
 */
public interface BulkWriter {

    /** Writes the columns of one row. */
    @FunctionalInterface
    interface RowWriter<T> {
        /** Begins a row with {@link Rows#row} and adds its columns in their order. */
        void write(T row, Rows rows) throws SQLException;
    }

    /** The stream's end where rows go in. Used by one thread. */
    interface Rows {

        /** Begins a row of so many columns. */
        Rows row(int columns) throws SQLException;

        Rows uuid(UUID value) throws SQLException;

        Rows bigint(long value) throws SQLException;

        Rows integer(int value) throws SQLException;

        Rows text(@Nullable String value) throws SQLException;
    }

    /**
     * Statement before the stream. It limits the time of a statement to {@code :timeout}, such as {@code 10s}, unless
     * the limit is lower already, and answers the limit before. If the table does not accept a stream, it changes and
     * answers nothing.
     */
    String begin();

    /**
     * The statement that reads the stream: id, partition, name, token, the times of scheduling, plan and due time. {@code
     * %s} stands for further columns, each behind a comma. All others have their defaults.
     */
    String insert();

    /** Statement after the stream: puts the limit back to {@code :before}. */
    String end();

    /** Whether this connection can send a stream. */
    boolean isPossible(Connection connection) throws SQLException;

    /** Writes all rows or, if it throws, none. */
    <T> void write(Connection connection, String insert, Collection<T> rows, RowWriter<T> writer) throws SQLException;
}
