package io.delayjob.internal.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes many new jobs without keys as one stream. The store runs the statements {@link #begin()} and {@link #end()},
 * before and after the stream. Thread-safe.
 */
public interface BulkWriter {

    /** Writes the columns of one row. */
    @FunctionalInterface
    interface RowWriter<T> {
        /** Calls {@link Rows#row}, and then adds the columns of the row in order. */
        void write(T row, Rows rows) throws SQLException;
    }

    /** Writes rows to the stream. Used by one thread. */
    interface Rows {

        Rows row(int columns) throws SQLException;

        Rows uuid(UUID value) throws SQLException;

        Rows bigint(long value) throws SQLException;

        Rows integer(int value) throws SQLException;

        Rows text(@Nullable String value) throws SQLException;
    }

    /**
     * Returns the statement to run before the stream. The statement restricts the time of each later statement to
     * {@code :timeout}, such as {@code 10s}, and returns the previous limit. If the previous limit is lower, the
     * previous limit stays. If the table accepts no stream, the statement changes nothing and returns no row.
     */
    String begin();

    /**
     * Returns the statement that makes the database read the stream. The columns are id, partition, name, token,
     * scheduling time, planned time and due time. The placeholder {@code %s} stands for further columns, each after a
     * comma.
     */
    String insert();

    /** Returns the statement to run after the stream. The statement restores the time limit {@code :before}. */
    String end();

    /** Tells whether this connection can send a stream. */
    boolean isPossible(Connection connection) throws SQLException;

    /** Writes all rows, or no row if the method throws an exception. */
    <T> void write(Connection connection, String insert, Collection<T> rows, RowWriter<T> writer) throws SQLException;
}
