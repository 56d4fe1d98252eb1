package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.Script;
import io.delayjob.jdbc.dialect.SqlTemplate;
import io.delayjob.jdbc.dialect.Straight;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
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

    /**
     * A script for a batch.
     *
     * @param one takes the place of {@code batch} for a batch of one row, if there is such a script
     */
    record Batched(Steps batch, @Nullable Steps one) {}

    private final DataSource dataSource;
    private final Dialect dialect;
    private final SqlTemplate template;
    private final Binding binding;
    private final int timeoutSeconds;
    private final JdbcTemplate jdbc;
    /** Those of {@link #keptSql}, which is called only while the store is made. */
    private final Set<Sql> statements = new LinkedHashSet<>();

    /** @param timeout of each statement; JDBC counts it in seconds, so it is rounded up */
    Database(DataSource dataSource, Dialect dialect, SqlTemplate template, Duration timeout) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.template = template;
        this.binding = Binding.of(dialect);
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

    /** All statements that the store runs. */
    Set<Sql> statements() {
        return statements;
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
        Sql sql = parse(statement);
        statements.add(sql);
        return sql;
    }

    /** A statement with every placeholder filled, for what runs it without parameters. */
    String filled(String statement) {
        return template.fill(dialect, statement);
    }

    private Sql parse(String statement) {
        return Sql.parse(filled(statement), binding);
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

    /** As {@link #keptSteps(Script)}; none if the dialect has no such scripts. */
    @Nullable
    Batched keptIfAny(@Nullable Script batch, @Nullable Script one) {
        return batch == null ? null : kept(batch, one);
    }

    /** As {@link #keptSteps(Script)}. */
    Batched kept(Script batch, @Nullable Script one) {
        return new Batched(keptSteps(batch), one == null ? null : keptSteps(one));
    }

    /** As {@link #keptSteps(Script)}; none if the dialect has no such transition. */
    @Nullable
    Batched straightIfAny(@Nullable Straight straight) {
        return straight == null ? null : kept(straight.batch(), straight.one());
    }

    /** The rows that a script answers for a batch. */
    <T> List<T> run(Batched script, Parameters batch, RowReader<T> reader) {
        return script.one() != null && batch.isOneRow()
                ? run(script.one(), batch.ofOneRow(), reader)
                : run(script.batch(), batch, reader);
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
        return execute(parse("SELECT * FROM " + table + " WHERE 1 = 0"), statement -> {
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

    /** Has the database read the statement, without running it. Some drivers hand it over only when it is asked about. */
    void prepare(Sql sql) {
        execute(sql, PreparedStatement::getMetaData);
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

    /** Runs an action on the connection of the transaction under way. */
    <T> T onConnection(ConnectionCallback<T> action) {
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

    /** Prepares a statement and hands it to an action, with the time-out set. */
    <T> T execute(Sql sql, PreparedStatementCallback<T> action) {
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
