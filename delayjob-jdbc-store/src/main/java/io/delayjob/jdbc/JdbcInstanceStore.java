package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.connection.SilenceLimit;
import io.delayjob.internal.jdbc.dialect.RegisterSql;
import io.delayjob.job.JobId;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.StoreException;
import io.delayjob.store.Vitals;
import io.delayjob.store.VitalsText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * Stores the register of instances in the database. The register keeps a connection of its own, so that heartbeats
 * continue while the pool is exhausted. Each statement commits by itself. If the connection breaks, the call is
 * repeated once on another connection. Thread-safe.
 */
final class JdbcInstanceStore implements InstanceStore, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(JdbcInstanceStore.class);

    /** Separates the names of two queues, or the names of two handlers. */
    private static final String LINE = "\n";

    /** Separates two names of one handler. */
    private static final String ALIAS = "\t";

    private final Transactions transactions;
    private final Database database;
    private final Queues queues;
    private final SilenceLimit silence;
    private final SQLExceptionTranslator translator = new SQLExceptionSubclassTranslator();
    private final Database.Steps register;
    private final Database.Steps beat;
    private final Database.Steps look;
    private final Sql list;
    private final Sql handlers;
    private final Sql deleteNotices;
    private final Sql purgeNotices;
    private final Sql acknowledgePauses;
    private final Sql remove;
    private final Sql deregister;
    private final Database.Steps clock;
    private @Nullable Connection connection;
    private Runnable unlimit = () -> {};

    @FunctionalInterface
    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** @param silence maximum time that a heartbeat waits for an answer before it uses another connection */
    JdbcInstanceStore(Transactions transactions, Database database, Queues queues, SilenceLimit silence) {
        RegisterSql sql = database.dialect().register();
        this.transactions = transactions;
        this.database = database;
        this.queues = queues;
        this.silence = silence;
        this.register = database.steps(sql.registerInstance());
        this.beat = database.steps(sql.beat());
        this.look = Database.Steps.of(database.sql(sql.look()));
        this.list = database.sql(sql.listInstances());
        this.handlers = database.sql(sql.instanceHandlers());
        this.deleteNotices = database.sql(sql.deleteNotices());
        this.purgeNotices = database.sql(sql.purgeNotices());
        this.acknowledgePauses = database.sql(sql.acknowledgePauses());
        this.remove = database.sql(sql.removeInstance());
        this.deregister = database.sql(sql.deregisterInstance());
        this.clock = Database.Steps.of(database.sql(sql.clock()));
    }

    @Override
    public long register(String incarnation, Set<String> queueNames, Set<Set<String>> running) {
        // Otherwise a submission would give a queue its number while it holds a connection.
        queueNames.forEach(queues::numberOf);
        Parameters parameters = Parameters.none()
                .set("incarnation", incarnation)
                .set("queues", String.join(LINE, queueNames))
                .set(
                        "handlers",
                        running.stream().map(names -> String.join(ALIAS, names)).collect(Collectors.joining(LINE)));
        long number = query("registering an instance", register, parameters, row -> row.getLong(1))
                .get(0);
        update("removing notices to instances that have left", purgeNotices, Parameters.none());
        return number;
    }

    @Override
    public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
        Parameters parameters = Parameters.none()
                .set("number", number)
                .set("stopping", stopping)
                .set("vitals", vitals == null ? null : VitalsText.write(vitals));
        return query("sending a heartbeat", beat, parameters, row -> row.getLong(1)).stream()
                .mapToLong(micros -> micros)
                .findFirst();
    }

    @Override
    public ClusterView look(long number) {
        List<InstanceRow> instances = new ArrayList<>();
        List<Notices.Notice> notices = new ArrayList<>();
        // A row with the number 0 is a notice.
        query(
                "reading the instances",
                look,
                Parameters.none().set("number", number).set("limit", Notices.MOST_CANCELLATIONS),
                row -> row.getLong(1) == 0 ? notices.add(Notices.read(row, 2, 7)) : instances.add(instance(row, null)));
        return new ClusterView(instances, Notices.paused(notices), Notices.cancelRequested(notices));
    }

    @Override
    public List<InstanceRow> list() {
        return readForPeople("reading the instances", list, row -> instance(row, VitalsText.read(row.getString(7))));
    }

    @Override
    public Map<Long, Set<Set<String>>> handlersByInstance() {
        return readForPeople(
                        "reading the handlers of the instances",
                        handlers,
                        row -> Map.entry(row.getLong(1), handlers(row.getString(2))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Set<Set<String>> handlers(String text) {
        return lines(text).map(line -> Set.of(line.split(ALIAS))).collect(Collectors.toSet());
    }

    /** Reads on a connection of the pool, because a person's request must not delay a heartbeat. */
    private <T> List<T> readForPeople(String doing, Sql sql, Database.RowReader<T> reader) {
        return transactions.reading(doing, () -> database.query(sql, Parameters.none(), reader));
    }

    @Override
    public void forgetCancellations(long number, Collection<JobId> jobs) {
        update("forgetting cancellations", deleteNotices, Notices.ofCancellations(jobs, number));
    }

    @Override
    public void acknowledgePauses(long number, long fingerprint) {
        update(
                "acknowledging pauses",
                acknowledgePauses,
                Parameters.none().set("number", number).set("fingerprint", fingerprint));
    }

    private static InstanceRow instance(ResultSet row, @Nullable Vitals vitals) throws SQLException {
        return new InstanceRow(
                row.getLong(1),
                row.getString(2),
                lines(row.getString(3)).collect(Collectors.toSet()),
                row.getBoolean(4),
                row.getLong(5),
                row.getLong(6),
                vitals);
    }

    private static Stream<String> lines(String text) {
        return text.isEmpty() ? Stream.empty() : Stream.of(text.split(LINE));
    }

    @Override
    public boolean remove(long number, long beats) {
        Parameters parameters = Parameters.none().set("number", number).set("beats", beats);
        return update("removing a silent instance", remove, parameters) > 0;
    }

    @Override
    public void deregister(long number) {
        update("deregistering an instance", deregister, Parameters.none().set("number", number));
    }

    long clockMicros() {
        return query("reading the store's clock", clock, Parameters.none(), row -> row.getLong(1))
                .get(0);
    }

    private <T> List<T> query(
            String doing, Database.Steps script, Parameters parameters, Database.RowReader<T> reader) {
        Sql answer = Objects.requireNonNull(script.answer());
        return execute(doing, answer, open -> {
            for (Sql write : script.writes()) {
                prepared(open, write, statement -> executed(statement, write, parameters));
            }
            return prepared(open, answer, statement -> Database.query(statement, answer, parameters, reader));
        });
    }

    private int update(String doing, Sql sql, Parameters parameters) {
        return execute(doing, sql, open -> prepared(open, sql, statement -> executed(statement, sql, parameters)));
    }

    private static int executed(PreparedStatement statement, Sql sql, Parameters parameters) throws SQLException {
        sql.bind(statement, parameters);
        return statement.executeUpdate();
    }

    private <T> T prepared(Connection open, Sql sql, PreparedStatementCallback<T> action) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(sql.text())) {
            return database.withTimeout(statement, action);
        }
    }

    private synchronized <T> T execute(String doing, Sql sql, Work<T> work) {
        boolean kept = connection != null;
        try {
            return work.on(connection());
        } catch (SQLException error) {
            close();
            if (!kept) {
                throw failed(doing, sql, error);
            }
            log.debug(
                    "The database connection for heartbeats broke while delayjob was {}. delayjob tries again on "
                            + "another connection.",
                    doing,
                    error);
        }
        try {
            return work.on(connection());
        } catch (SQLException error) {
            close();
            throw failed(doing, sql, error);
        }
    }

    private Connection connection() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = database.dataSource().getConnection();
            connection = open;
            unlimit = silence.set(open);
            if (!open.getAutoCommit()) {
                open.setAutoCommit(true);
            }
        }
        return open;
    }

    private RuntimeException failed(String doing, Sql sql, SQLException error) {
        RuntimeException translated = translator.translate(doing, sql.text(), error);
        return translated == null
                ? StoreException.unavailable("The job store failed while %s.".formatted(doing), error)
                : StoreErrors.translate(doing, translated);
    }

    @Override
    public synchronized void close() {
        Connection open = connection;
        connection = null;
        if (open == null) {
            return;
        }
        unlimit.run();
        try {
            open.close();
        } catch (SQLException broken) {
            log.debug(
                    "The broken database connection for heartbeats could not be closed. delayjob no longer uses it.",
                    broken);
        }
    }
}
