package io.delayjob.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.jdbc.AutoSave;

/** PostgreSQL's {@code COPY}, through its own driver: without that this class cannot be loaded. */
final class PostgreSqlCopy {

    private static final String CONNECTION_LOST = "08";

    private PostgreSqlCopy() {}

    /**
     * Whether the connection is the driver's own, and a {@code COPY} that fails leaves behind what a failed statement
     * does. A driver that undoes each failed statement by itself ({@code autosave=always}) does not do so for this one.
     */
    static boolean isPossible(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class)
                && connection.unwrap(PGConnection.class).getAutosave() != AutoSave.ALWAYS;
    }

    /** Answers the number of rows. By an error the stream is over and nothing is written. */
    static <T> long write(Connection connection, String statement, Collection<T> rows, CopiedRows.Writer<T> writer)
            throws SQLException {
        try {
            return write(connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement), rows, writer);
        } catch (SQLException error) {
            if (error.getSQLState() != null && error.getSQLState().startsWith(CONNECTION_LOST)) {
                // After any other statement the driver does so: what would come next might read a late answer.
                connection.abort(Runnable::run);
            }
            throw error;
        }
    }

    private static <T> long write(CopyIn copy, Collection<T> rows, CopiedRows.Writer<T> writer) throws SQLException {
        try {
            CopiedRows copied = new CopiedRows((bytes, length) -> {
                copy.writeToCopy(bytes, 0, length);
                // Takes in what the server has to say meanwhile: it might wait for that, as we would for it.
                copy.flushCopy();
            });
            for (T row : rows) {
                writer.write(row, copied);
            }
            copied.end();
            return copy.endCopy();
        } catch (SQLException | RuntimeException | Error error) {
            cancel(copy, error);
            throw error;
        }
    }

    /** The connection is locked for anything else as long as a stream is open. */
    private static void cancel(CopyIn copy, Throwable reason) {
        try {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        } catch (SQLException broken) {
            reason.addSuppressed(broken);
        }
    }
}
