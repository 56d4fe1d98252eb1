package io.delayjob.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
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
        CopyIn copy = null;
        try {
            copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(statement);
            return write(copy, rows, writer);
        } catch (SQLException | RuntimeException | Error error) {
            if (isLost(error) || !isCancelled(copy, error)) {
                // After any other statement the driver does so: what would come next might read a late answer.
                connection.abort(Runnable::run);
            }
            throw error;
        }
    }

    private static boolean isLost(Throwable error) {
        return error instanceof SQLException failure
                && failure.getSQLState() != null
                && failure.getSQLState().startsWith(CONNECTION_LOST);
    }

    private static <T> long write(CopyIn copy, Collection<T> rows, CopiedRows.Writer<T> writer) throws SQLException {
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
    }

    /** Ends the stream, for the connection is locked for anything else as long as one is open. */
    private static boolean isCancelled(@Nullable CopyIn copy, Throwable reason) {
        try {
            if (copy != null && copy.isActive()) {
                copy.cancelCopy();
            }
            return true;
        } catch (SQLException broken) {
            reason.addSuppressed(broken);
            return false;
        }
    }
}
