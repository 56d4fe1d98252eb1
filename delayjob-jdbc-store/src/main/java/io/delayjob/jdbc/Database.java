package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.Script;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import io.delayjob.internal.jdbc.dialect.Straight;
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
 * Runs SQL statements, each with a timeout. The statements join the transaction on this thread, if there is one.
 * Thread-safe.
 */
final class Database {

    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    record Steps(
            @Nullable Sql lock, List<Sql> writes, @Nullable Sql answer) {

        static Steps of(Sql answer) {
            return new Steps(null, List.of(), answer);
        }
    }

    /**
     * @param few for a batch of few rows; {@code null} if the dialect has no such script
     * @param one for a batch of one row; {@code null} if the dialect has no such script
     */
    record Batched(
            Steps batch, @Nullable Steps few, @Nullable Steps one) {

        private boolean isForOne(Parameters batch) {
            return one != null && batch.rows() == 1;
        }

        private Steps unlessForOne(Parameters batch) {
            return few != null && batch.rows() <= Straight.FEW ? few : this.batch;
        }
    }

    private final DataSource dataSource;
    private final Dialect dialect;
    private final SqlTemplate template;
    private final Binding binding;
    private final int timeoutSeconds;
    private final JdbcTemplate jdbc;
    /** Needs no lock, because only the construction of the store adds statements. */
    private final Set<Sql> statements = new LinkedHashSet<>();

    /** @param timeout rounded up to whole seconds for JDBC */
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

    Set<Sql> statements() {
        return statements;
    }

    Database within(Duration timeout) {
        Duration here = Duration.ofSeconds(timeoutSeconds);
        return new Database(dataSource, dialect, template, timeout.compareTo(here) < 0 ? timeout : here);
    }

    Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    String ddl() {
        return JobSchema.ddl(dialect, template);
    }

    /** Parses a statement for any transaction. The server plans this statement again for each execution. */
    Sql sql(String statement) {
        return keptSql(statement).planningAnew();
    }

    /**
     * The driver may keep the plan of this statement. So every plan must be good, or the transaction's settings must
     * force a good plan.
     */
    Sql keptSql(String statement) {
        Sql sql = parse(statement);
        statements.add(sql);
        return sql;
    }

    String filled(String statement) {
        return template.fill(dialect, statement);
    }

    private Sql parse(String statement) {
        return Sql.parse(filled(statement), binding);
    }

    Steps steps(Script script) {
        return steps(script, this::sql);
    }

    Steps keptSteps(Script script) {
        return steps(script, this::keptSql);
    }

    /**
     * Parses a script for the store's own transactions only. The script begins with the settings of {@link
     * Dialect#guard()}. These settings allow the driver to keep the plans.
     */
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

    @Nullable
    Batched keptIfAny(@Nullable Script batch, @Nullable Script one) {
        return batch == null ? null : kept(batch, one);
    }

    Batched kept(Script batch, @Nullable Script one) {
        return new Batched(keptSteps(batch), null, one == null ? null : keptSteps(one));
    }

    @Nullable
    Batched straightIfAny(@Nullable Straight straight) {
        return straight == null
                ? null
                : new Batched(keptSteps(straight.batch()), keptSteps(straight.few()), keptSteps(straight.one()));
    }

    <T> List<T> run(Batched script, Parameters batch, RowReader<T> reader) {
        return script.isForOne(batch)
                ? run(Objects.requireNonNull(script.one()), batch.ofOneRow(), reader)
                : run(script.unlessForOne(batch), batch, reader);
    }

    int change(Batched script, Parameters batch) {
        return script.isForOne(batch)
                ? change(Objects.requireNonNull(script.one()), batch.ofOneRow())
                : change(script.unlessForOne(batch), batch);
    }

    private int change(Steps script, Parameters parameters) {
        int changed = 0;
        for (Sql write : script.writes()) {
            changed += update(write, parameters);
        }
        return changed;
    }

    /** A script of several statements needs a transaction. */
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
        change(script, parameters);
        return script.answer() == null ? answered : query(script.answer(), parameters, reader);
    }

    static UUID uuid(ResultSet row, int column) throws SQLException {
        return Binding.uuid(row.getObject(column));
    }

    <T> List<T> query(Sql sql, Parameters parameters, RowReader<T> reader) {
        return execute(sql, statement -> query(statement, sql, parameters, reader));
    }

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

    /** Some drivers send the statement to the server only when they need its metadata. */
    void prepare(Sql sql) {
        execute(sql, PreparedStatement::getMetaData);
    }

    int update(Sql sql, Parameters parameters) {
        return execute(sql, statement -> {
            sql.bind(statement, parameters);
            statement.execute();
            // Settings that a dialect sends before a statement change no rows.
            int changed = 0;
            int count;
            while ((count = statement.getUpdateCount()) >= 0) {
                changed += count;
                statement.getMoreResults();
            }
            return changed;
        });
    }

    /** Runs a statement that some databases cannot prepare. Returns {@code true} if the statement is no query. */
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

    Savepoint savepoint() {
        return onConnection(Connection::setSavepoint);
    }

    void rollbackTo(Savepoint savepoint) {
        onConnection(connection -> {
            connection.rollback(savepoint);
            return savepoint;
        });
    }

    void releaseSavepoint(Savepoint savepoint) {
        onConnection(connection -> {
            connection.releaseSavepoint(savepoint);
            return savepoint;
        });
    }

    <T> T onConnection(ConnectionCallback<T> action) {
        return Objects.requireNonNull(jdbc.execute(action));
    }

    static <T> List<T> query(PreparedStatement statement, Sql sql, Parameters parameters, RowReader<T> reader)
            throws SQLException {
        sql.bind(statement, parameters);
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

    <T> T execute(Sql sql, PreparedStatementCallback<T> action) {
        return jdbc.execute(connection -> prepare(connection, sql), (PreparedStatementCallback<T>)
                statement -> withTimeout(statement, action));
    }

    PreparedStatement prepare(Connection connection, Sql sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql.text());
        if (sql.plannedAnew()) {
            dialect.planAnew(statement);
        }
        return statement;
    }

    /** If the transaction has a time limit, its remaining time applies. */
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
