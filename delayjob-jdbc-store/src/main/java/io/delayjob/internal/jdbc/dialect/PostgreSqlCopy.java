package io.delayjob.internal.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.jdbc.AutoSave;

/**
 * Writes jobs by PostgreSQL's {@code COPY}. Java cannot load this class without PostgreSQL's driver. {@code COPY}
 * ignores rules, does not write through a view, and is refused under row level security. Each transaction may have
 * another user, so the class checks these conditions in each transaction.
 */
final class PostgreSqlCopy implements BulkWriter {

    private static final String CONNECTION_LOST = "08";

    /** The server computes the columns from left to right, so the first column is the previous time limit. */
    @Override
    public String begin() {
        return """
                SELECT t.present, set_config('statement_timeout',
                    CASE WHEN t.present <> '0' AND CAST(t.present AS INTERVAL) < CAST(:timeout AS INTERVAL)
                        THEN t.present ELSE :timeout END, TRUE)
                FROM (SELECT current_setting('statement_timeout') AS present) AS t
                CROSS JOIN pg_class c
                WHERE c.oid = CAST('{job}' AS REGCLASS)
                  AND c.relkind IN ('r', 'p') AND NOT c.relhasrules AND NOT row_security_active(c.oid)
                """;
    }

    @Override
    public String insert() {
        return """
                COPY {job} (id, partition_id, name, token, scheduled_at, planned_at, due_at%s)
                FROM STDIN (FORMAT binary)
                """;
    }

    @Override
    public String end() {
        return "SELECT set_config('statement_timeout', :before, TRUE)";
    }

    /**
     * Returns {@code false} for {@code autosave=always}, because the driver then undoes failed statements, but not a
     * failed {@code COPY}.
     */
    @Override
    public boolean isPossible(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class)
                && connection.unwrap(PGConnection.class).getAutosave() != AutoSave.ALWAYS;
    }

    @Override
    public <T> void write(Connection connection, String insert, Collection<T> rows, RowWriter<T> writer)
            throws SQLException {
        CopyIn copy = null;
        try {
            copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(insert);
            write(copy, rows, writer);
        } catch (SQLException | RuntimeException | Error error) {
            if (isLost(error) || !isCancelled(copy, error)) {
                // Otherwise the next statement might read a late answer.
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

    private static <T> void write(CopyIn copy, Collection<T> rows, RowWriter<T> writer) throws SQLException {
        CopiedRows copied = new CopiedRows((bytes, length) -> {
            copy.writeToCopy(bytes, 0, length);
            // Reads the messages of the server. Otherwise server and client could wait for each other.
            copy.flushCopy();
        });
        for (T row : rows) {
            writer.write(row, copied);
        }
        copied.end();
        copy.endCopy();
    }

    /**
     * Cancels the {@code COPY}, because no other statement can use the connection while the stream is open. Returns
     * {@code false} if the cancellation failed.
     */
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
