package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.connection.SilenceLimit;
import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import io.delayjob.job.OversizePayload;
import io.delayjob.store.Durability;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Collects the settings of a {@link JdbcJobStore}. Used by one thread. */
public final class JdbcJobStoreBuilder {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DEFAULT_HEARTBEAT_TIMEOUT = Duration.ofSeconds(3);

    private final DataSource dataSource;
    private final PlatformTransactionManager transactionManager;
    private String tablePrefix = SqlTemplate.DEFAULT_PREFIX;
    private @Nullable String schema;
    private Duration statementTimeout = DEFAULT_TIMEOUT;
    private Duration heartbeatTimeout = DEFAULT_HEARTBEAT_TIMEOUT;
    private boolean requireTransaction;
    private int maxHandlerConnections = Integer.MAX_VALUE;
    private long maxPayloadBytes = OversizePayload.DEFAULT_LIMIT;
    private EngineClock clock = StoreClock.ofThisMachine();
    private @Nullable Dialect dialect;

    JdbcJobStoreBuilder(DataSource dataSource, PlatformTransactionManager transactionManager) {
        this.dataSource =
                dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                        ? proxy.getTargetDataSource()
                        : dataSource;
        this.transactionManager = transactionManager;
    }

    /**
     * Sets the prefix of the tables' names, {@code delayjob_} by default. The prefix must match {@code
     * [A-Za-z_][A-Za-z0-9_]{0,30}}.
     */
    public JdbcJobStoreBuilder tablePrefix(String prefix) {
        this.tablePrefix = prefix;
        return this;
    }

    /** Sets the schema of the tables. The default is the schema of the connection. */
    public JdbcJobStoreBuilder schema(@Nullable String schema) {
        this.schema = schema;
        return this;
    }

    /**
     * Sets the maximum duration of a statement, 10 s by default. JDBC counts whole seconds, so the duration is rounded
     * up. A statement can join a caller's transaction that has a timeout. Then the remaining time of the transaction
     * applies instead. In its own transactions, the store also limits each wait for an answer of the database. This
     * limit is 2 s longer than the maximum duration. After this time, the store closes the connection. Some reads are
     * for a person who waits for the result, such as a page of jobs. Each statement of such a read takes at most 5 s.
     * If the maximum duration is shorter than 5 s, this duration also applies to these statements.
     */
    public JdbcJobStoreBuilder statementTimeout(Duration timeout) {
        this.statementTimeout = checked("statement timeout", timeout);
        return this;
    }

    /**
     * Sets how long the heartbeat waits for the server before it uses another connection, 3 s by default. Choose three
     * tenths of the engine's liveness period, to leave time for a second try.
     */
    public JdbcJobStoreBuilder heartbeatTimeout(Duration timeout) {
        this.heartbeatTimeout = checked("heartbeat timeout", timeout);
        return this;
    }

    private static Duration checked(String what, Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("Invalid %s %s: must be greater than zero.".formatted(what, timeout));
        }
        return timeout;
    }

    /** Sets whether new jobs are refused if there is no transaction to join; {@code false} by default. */
    public JdbcJobStoreBuilder requireTransaction(boolean require) {
        this.requireTransaction = require;
        return this;
    }

    /**
     * Sets the maximum number of connections that atomic handlers hold at a time; no limit by default. Leave two
     * connections of the pool free: one for heartbeats, and one for callers and the store's own statements. If all
     * these connections are in use, the next handler waits for a free connection. The longest wait is the same as the
     * {@linkplain #statementTimeout maximum duration of a statement}. If no connection becomes free in this time, the
     * handler is not called, and the job is released.
     */
    public JdbcJobStoreBuilder maxHandlerConnections(int connections) {
        if (connections < 1) {
            throw new IllegalArgumentException(
                    "Invalid number of connections for atomic handlers (%d): must be 1 or more."
                            .formatted(connections));
        }
        this.maxHandlerConnections = connections;
        return this;
    }

    /**
     * Sets the maximum length of a payload that is read, in bytes of UTF-8; 1 MiB by default. The engine refuses a
     * limit below the maximum length of new payloads.
     */
    public JdbcJobStoreBuilder maxPayloadBytes(long bytes) {
        this.maxPayloadBytes = bytes;
        return this;
    }

    JdbcJobStoreBuilder clock(EngineClock clock) {
        this.clock = clock;
        return this;
    }

    /**
     * Sets the dialect of the statements. The default is detected from the database.
     *
     * @param platform name of the dialect: {@code h2}, {@code mariadb}, {@code mysql} or {@code postgresql}. Spring
     *     Boot uses the same names for the databases
     * @throws IllegalArgumentException if delayjob has no dialect of this name
     */
    public JdbcJobStoreBuilder dialect(String platform) {
        this.dialect = Dialect.named(platform);
        return this;
    }

    /**
     * Builds the store. The method opens a connection for a short time, but reads and writes nothing.
     *
     * @throws IllegalArgumentException if the table prefix or the schema is invalid, or if no dialect fits the
     *     database. The exception is also thrown if the transaction manager belongs to another DataSource
     * @throws StoreException if the database does not answer
     */
    public JdbcJobStore build() {
        if (transactionManager instanceof ResourceTransactionManager manager
                && manager.getResourceFactory() instanceof DataSource managed
                && managed != dataSource) {
            throw new IllegalArgumentException(
                    "Invalid transaction manager for DataSource %s: the manager manages %s, so jobs could never be written in the caller's transaction. Give the manager and the store the same DataSource."
                            .formatted(dataSource, managed));
        }
        SqlTemplate template = new SqlTemplate(tablePrefix, schema, maxPayloadBytes);
        Dialect spoken;
        boolean readCommitted;
        String database;
        Durability durability;
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData metaData = connection.getMetaData();
            spoken = dialect == null ? Dialect.of(metaData) : dialect;
            database = spoken.describe(metaData);
            durability = spoken.durability(metaData);
            readCommitted = connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
            SilenceLimit.warnIfUnsupported(connection);
        } catch (SQLException error) {
            throw StoreException.unavailable(
                    "The job store could not connect to its database (%s): is it running?"
                            .formatted(error.getMessage()),
                    error);
        }
        Transactions transactions = new Transactions(
                dataSource,
                transactionManager,
                SilenceLimit.beyond(statementTimeout),
                readCommitted,
                requireTransaction);
        transactions.applications().checkManager();
        JdbcParts parts = new JdbcParts(
                new Database(dataSource, spoken, template, statementTimeout),
                transactions,
                SilenceLimit.of(heartbeatTimeout),
                new HandlerConnections(maxHandlerConnections, statementTimeout),
                clock,
                maxPayloadBytes);
        return new JdbcJobStore(
                parts,
                maxPayloadBytes,
                spoken.platform(),
                "%s, prefix %s%s".formatted(database, tablePrefix, schema == null ? "" : ", schema " + schema),
                durability);
    }
}
