package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.Script;
import io.delayjob.jdbc.dialect.SqlTemplate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.StatementCallback;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Runs statements on the connection of the transaction under way, if there is one, each with a timeout. Throws Spring's
 * {@code DataAccessException}s. Thread-safe.
 */
final class Database {

    /** Reads one row. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** A script whose statements are taken apart. */
    record Steps(
            @Nullable Sql lock, List<Sql> writes, @Nullable Sql answer) {

        /** One statement does it. */
        static Steps of(Sql answer) {
            return new Steps(null, List.of(), answer);
        }
    }

    /** The statements of a {@link Dialect.Copy}. */
    record Copy(Sql begin, String copy, Sql end) {}

    private final DataSource dataSource;
    private final Dialect dialect;
    private final SqlTemplate template;
    private final Binding binding;
    private final int timeoutSeconds;
    private final JdbcTemplate jdbc;

    /** @param timeout of each statement; JDBC counts it in seconds, so it is rounded up */
    Database(DataSource dataSource, Dialect dialect, SqlTemplate template, Duration timeout) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.template = template;
        this.binding = dialect.hasArrays() ? Binding.ARRAYS : Binding.JSON;
        this.timeoutSeconds =
                Math.toIntExact(timeout.plusSeconds(1).minusNanos(1).toSeconds());
        this.jdbc = new JdbcTemplate(dataSource);
    }

    Dialect dialect() {
        return dialect;
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** The same database with a shorter time-out of statements, if this is shorter than the present one. */
    Database within(Duration timeout) {
        Duration here = Duration.ofSeconds(timeoutSeconds);
        return new Database(dataSource, dialect, template, timeout.compareTo(here) < 0 ? timeout : here);
    }

    /** Time-out of a statement, unless its transaction has a timeout of its own. */
    Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    /** The statements that make the tables. */
    String ddl() {
        return JobSchema.ddl(dialect, template);
    }

    /** For any transaction, the caller's among them. */
    Sql sql(String statement) {
        return keptSql(statement).planningAnew();
    }

    /** A statement whose plan may be kept: no kept plan is a bad one, or it has settings of its own against that. */
    Sql keptSql(String statement) {
        return Sql.parse(template.fill(dialect, statement), binding);
    }

    /** For any transaction, the caller's among them. */
    Steps steps(Script script) {
        return steps(script, this::sql);
    }

    /** As {@link #steps(Script)}, where plans may be kept as {@link #keptSql} says. */
    Steps keptSteps(Script script) {
        return steps(script, this::keptSql);
    }

    /** For transactions of the store's own and no others. */
    Steps ownSteps(Script script) {
        return keptSteps(dialect.guarded(script));
    }

    private static Steps steps(Script script, Function<String, Sql> taken) {
        String lock = script.lock();
        String answer = script.answer();
        return new Steps(
                lock == null ? null : taken.apply(lock),
                script.writes().stream().map(taken).toList(),
                answer == null ? null : taken.apply(answer));
    }

    /** As {@link #keptSteps(Script)}; none where the dialect has no such script. */
    @Nullable
    Steps keptStepsIfAny(@Nullable Script script) {
        return script == null ? null : keptSteps(script);
    }

    /** None where the dialect has none. */
    @Nullable
    Copy copyIfAny(Dialect.@Nullable Copy copy) {
        return copy == null
                ? null
                : new Copy(keptSql(copy.begin()), template.fill(dialect, copy.copy()), keptSql(copy.end()));
    }

    /**
     * Writes rows as a stream, all of them or, by an error, none; needs a transaction. The server itself keeps the
     * timeout, for no driver has one for a stream.
     *
     * @param columns further ones than those that the script names
     * @return whether they are written; if not, nothing has happened: this connection or this table has to be written by
     *     statements
     */
    <T> boolean copy(Copy script, List<String> columns, Collection<T> rows, CopiedRows.Writer<T> writer) {
        if (!onConnection(PostgreSqlCopy::isPossible)) {
            return false;
        }
        List<String> limit = execute(script.begin(), statement -> {
            Parameters timeout = Parameters.none().set("timeout", statement.getQueryTimeout() + "s");
            return query(statement, script.begin(), timeout, row -> row.getString(1));
        });
        if (limit.isEmpty()) {
            return false;
        }
        String copy =
                script.copy().formatted(columns.stream().map(", %s"::formatted).collect(Collectors.joining()));
        onConnection(connection -> PostgreSqlCopy.write(connection, copy, rows, writer));
        query(script.end(), Parameters.none().set("before", limit.get(0)), row -> row.getString(1));
        return true;
    }

    /**
     * The rows that a script answers for a batch.
     *
     * @param ofOne takes the place of {@code script} where the batch has one row
     */
    <T> List<T> run(Steps script, @Nullable Steps ofOne, Parameters batch, RowReader<T> reader) {
        return ofOne != null && batch.isOneRow() ? run(ofOne, batch.ofOneRow(), reader) : run(script, batch, reader);
    }

    /** The rows that the script answers. Needs a transaction unless the script is one statement. */
    <T> List<T> run(Steps script, Parameters parameters, RowReader<T> reader) {
        List<T> answered = List.of();
        if (script.lock() != null) {
            List<UUID> locked = new ArrayList<>();
            if (script.answer() == null) {
                answered = query(script.lock(), parameters, row -> {
                    locked.add(uuid(row, 1));
                    return reader.read(row);
                });
            } else {
                locked.addAll(query(script.lock(), parameters, row -> uuid(row, 1)));
            }
            if (locked.isEmpty()) {
                return List.of();
            }
            parameters.locked(locked);
        }
        script.writes().forEach(write -> update(write, parameters));
        return script.answer() == null ? answered : query(script.answer(), parameters, reader);
    }

    /** An id. */
    static UUID uuid(ResultSet row, int column) throws SQLException {
        return Binding.uuid(row.getObject(column));
    }

    <T> List<T> query(Sql sql, Parameters parameters, RowReader<T> reader) {
        return execute(sql, statement -> query(statement, sql, parameters, reader));
    }

    /** What the columns of a table are called, in small letters. */
    Set<String> columns(String table) {
        return execute(keptSql("SELECT * FROM " + table + " WHERE 1 = 0"), statement -> {
            try (ResultSet rows = statement.executeQuery()) {
                ResultSetMetaData columns = rows.getMetaData();
                Set<String> names = new HashSet<>();
                for (int column = 1; column <= columns.getColumnCount(); column++) {
                    names.add(columns.getColumnName(column).toLowerCase(Locale.ROOT));
                }
                return names;
            }
        });
    }

    /** The number of rows that the statement changed. */
    int update(Sql sql, Parameters parameters) {
        return execute(sql, statement -> {
            sql.bind(statement, parameters);
            return statement.executeUpdate();
        });
    }

    /** Runs a statement that cannot be prepared everywhere; answers whether it finds a row, or has none to find. */
    boolean finds(String statement) {
        return Boolean.TRUE.equals(jdbc.execute((StatementCallback<Boolean>) asked -> {
            if (!asked.execute(statement)) {
                return true;
            }
            try (ResultSet rows = asked.getResultSet()) {
                return rows.next();
            }
        }));
    }

    /** Marks a place in the transaction under way. */
    Savepoint savepoint() {
        return onConnection(Connection::setSavepoint);
    }

    /** Undoes what the transaction under way has done since. */
    void rollbackTo(Savepoint savepoint) {
        onConnection(connection -> {
            connection.rollback(savepoint);
            return savepoint;
        });
    }

    /** Forgets the place. */
    void releaseSavepoint(Savepoint savepoint) {
        onConnection(connection -> {
            connection.releaseSavepoint(savepoint);
            return savepoint;
        });
    }

    private <T> T onConnection(ConnectionCallback<T> action) {
        return Objects.requireNonNull(jdbc.execute(action));
    }

    static <T> List<T> query(PreparedStatement statement, Sql sql, Parameters parameters, RowReader<T> reader)
            throws SQLException {
        sql.bind(statement, parameters);
        // A dialect may put settings ahead of a statement; those answer no rows.
        boolean answers = statement.execute();
        while (!answers && statement.getUpdateCount() >= 0) {
            answers = statement.getMoreResults();
        }
        try (ResultSet rows = statement.getResultSet()) {
            List<T> read = new ArrayList<>();
            while (rows.next()) {
                read.add(reader.read(rows));
            }
            return read;
        }
    }

    private <T> T execute(Sql sql, PreparedStatementCallback<T> action) {
        return jdbc.execute(connection -> prepare(connection, sql), (PreparedStatementCallback<T>)
                statement -> withTimeout(statement, action));
    }

    /** Prepares a statement, with regard to its plan. */
    PreparedStatement prepare(Connection connection, Sql sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql.text());
        if (sql.plannedAnew()) {
            dialect.planAnew(statement);
        }
        return statement;
    }

    /** The time that is left to the transaction, if it has a timeout itself, else the store's own timeout. */
    <T> T withTimeout(PreparedStatement statement, PreparedStatementCallback<T> action) throws SQLException {
        int before = dialect.keepsTimeoutOnConnection() ? statement.getQueryTimeout() : 0;
        DataSourceUtils.applyTimeout(statement, dataSource, timeoutSeconds);
        try {
            return action.doInPreparedStatement(statement);
        } finally {
            if (dialect.keepsTimeoutOnConnection()) {
                statement.setQueryTimeout(before);
            }
        }
    }
}
