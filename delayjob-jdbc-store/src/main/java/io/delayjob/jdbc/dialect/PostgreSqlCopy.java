package io.delayjob.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.jdbc.AutoSave;

/**
 * Writes jobs by PostgreSQL's {@code COPY}, through PostgreSQL's own driver. Java cannot load this class without
 * PostgreSQL's driver. {@code COPY} ignores rules, does not write through a view, and is refused if row level security
 * applies to the user. The class checks this each time, because each transaction may have another user.
 */
final class PostgreSqlCopy implements BulkWriter {

    private static final String CONNECTION_LOST = "08";

    /**
     * The first column of the result is the time limit before this statement, and the second column sets the new limit.
     * This order works because the server computes the columns from left to right.
     */
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
     * Tells whether the connection belongs to PostgreSQL's own driver and does not have the setting {@code
     * autosave=always}. With this setting, the driver undoes failed statements by itself, but not a failed {@code
     * COPY}.
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
                // Without this call, the next statement might read a late answer. For any other statement, the driver
                // itself prevents this.
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
            // The client reads the messages of the server while it writes. Otherwise server and client could wait for
            // each other.
            copy.flushCopy();
        });
        for (T row : rows) {
            writer.write(row, copied);
        }
        copied.end();
        copy.endCopy();
    }

    /**
     * Cancels the stream, because no other statement can use the connection while the stream is open. Returns {@code
     * false} if this failed.
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
