package io.delayjob.jdbc;

import io.delayjob.jdbc.connection.SilenceLimit;
import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.DueSink;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OversizePayload;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.LostPage;
import io.delayjob.store.OverduePage;
import io.delayjob.store.PartitionCursor;
import io.delayjob.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/**
 * Jobs in the application's own database.
 *
 * <p><strong>Whose transaction.</strong> {@link #submit}, {@link #cancel}, {@link #withdraw}, {@link #reschedule},
 * {@link #retry}, {@link #pause}, {@link #resume} and the finders take part in the transaction that the caller has on
 * the same {@link DataSource}: a job is written if and only if the caller's own data is, and its row goes to the wheel
 * once that has committed. Without one they take a short one of their own; so they do within {@code afterCommit}, and
 * where transactions are not synchronised. On PostgreSQL, new jobs of several threads may share one then, by a
 * connection that one of these threads takes. A transaction on another DataSource is none. Atomic handlers are called in
 * transactions of the same manager. All else runs in short transactions of its own, READ COMMITTED, whatever the
 * caller has open.
 *
 * <p><strong>Connections.</strong> Heartbeats keep one connection checked out until {@link #close()}, an atomic handler
 * keeps one while it runs; the first job of a queue that is new to the database takes a second one for a moment.
 *
 * <p><strong>Tables.</strong> See {@link JobSchema}. Thread-safe.
 */
public final class JdbcJobStore implements JobStore, AutoCloseable {

    private final JdbcInstanceStore instances;
    private final Submission submission;
    private final ByHand byHand;
    private final JobReader reader;
    private final JobCounter counter;
    private final Notices notices;
    private final DuePages duePages;
    private final Claims claims;
    private final Completions completions;
    private final AtomicCompletions atomicCompletions;
    private final Retention retention;
    private final Identity identity;
    private final Tables tables;
    private final long maxPayloadBytes;
    private final String platform;
    private final String description;

    private JdbcJobStore(
            Database database,
            Transactions transactions,
            SilenceLimit heartbeatSilence,
            HandlerConnections handlerConnections,
            long maxPayloadBytes,
            String description) {
        this.maxPayloadBytes = maxPayloadBytes;
        this.platform = database.dialect().platform();
        this.description = description;
        Queues queues = new Queues(transactions, database);
        JobRows rows = new JobRows(queues, maxPayloadBytes);
        JobLocator locator = new JobLocator(database);
        Endings endings = Endings.inOwn(database);
        this.instances = new JdbcInstanceStore(transactions, database, queues, heartbeatSilence);
        this.submission = new Submission(transactions, database, queues, rows, locator);
        this.notices = new Notices(transactions, database);
        this.byHand = new ByHand(transactions, database, rows, Endings.inAny(database), notices);
        this.reader = new JobReader(transactions, database, rows);
        this.counter = new JobCounter(transactions, database);
        this.duePages = new DuePages(transactions, database, queues, rows);
        this.claims = new Claims(transactions, database, rows, endings, locator);
        this.completions = new Completions(transactions, database, endings, locator);
        this.atomicCompletions = new AtomicCompletions(transactions, database, rows, completions, handlerConnections);
        this.retention = new Retention(transactions, database);
        this.identity = new Identity(transactions, database);
        this.tables = new Tables(database);
    }

    /**
     * Starts building a store.
     *
     * @param dataSource where the tables are
     * @param transactionManager the manager of transactions on that very DataSource
     */
    public static Builder builder(DataSource dataSource, PlatformTransactionManager transactionManager) {
        return new Builder(dataSource, transactionManager);
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return submission.submit(jobs, committed);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return byHand.cancel(id, now);
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        return byHand.cancel(name, key, now);
    }

    @Override
    public void withdraw(JobId id, Instant now) {
        byHand.withdraw(id, now);
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return byHand.reschedule(id, due, freshToken, committed);
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return byHand.retry(id, due, freshToken, committed);
    }

    @Override
    public Optional<Job> find(JobId id) {
        return reader.find(id);
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return reader.find(name, key);
    }

    @Override
    public JobPage find(JobQuery query, Instant now) {
        return reader.find(query, now);
    }

    @Override
    public List<AttemptRecord> attempts(JobId id, int limit) {
        return reader.attempts(id, limit);
    }

    @Override
    public boolean pause(Paused what, Instant now, Runnable committed) {
        return notices.pause(what, now, committed);
    }

    @Override
    public boolean resume(Paused what, Runnable committed) {
        return notices.resume(what, committed);
    }

    @Override
    public Paused paused() {
        return notices.paused();
    }

    @Override
    public JobCounts counts(Instant now) {
        return counter.counts(now);
    }

    @Override
    public long maxPayloadBytes() {
        return maxPayloadBytes;
    }

    @Override
    public long clockMicros() {
        return instances.clockMicros();
    }

    @Override
    public Map<Partition, Instant> partitionsInUse() {
        return duePages.partitionsInUse();
    }

    @Override
    public List<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return duePages.dueAfter(cursors, until, limit);
    }

    @Override
    public OverduePage overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        return duePages.overdue(cursors, until, names, limit, lookAt);
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return claims.claim(rows, owner, freshToken, now);
    }

    @Override
    public List<DueRow> release(List<DueRow> rows, long claimToken, long freshToken, Instant now) {
        return claims.release(rows, claimToken, freshToken, now);
    }

    @Override
    public List<CompletionResult> complete(List<Completion> ends) {
        return completions.complete(ends);
    }

    @Override
    public void settleDoubt(Collection<JobId> ids) {
        completions.settleDoubt(ids);
    }

    @Override
    public LostPage lost(Collection<PartitionCursor> cursors, Instant until, int limit) {
        return duePages.lost(cursors, until, limit);
    }

    @Override
    public List<DueRow> rescue(List<DueRow> lost, Instant now, long freshToken) {
        return claims.rescue(lost, now, freshToken);
    }

    @Override
    public int purgeHistory(JobState state, Instant before, int limit) {
        return retention.purge(state, before, limit);
    }

    @Override
    public Optional<HandlerTransactions> handlerTransactions() {
        return Optional.of(atomicCompletions);
    }

    @Override
    public String identity(String proposed) {
        return identity.orElse(proposed);
    }

    @Override
    public InstanceStore instances() {
        return instances;
    }

    /** Spring Boot's name of the kind of database: {@code h2}, {@code mariadb}, {@code mysql}, {@code postgresql}. */
    public String platform() {
        return platform;
    }

    /**
     * Looks whether the tables are there, with every column of the shipped script.
     *
     * @throws StoreException when they are not, with what is missing; {@linkplain StoreException#isTransient()
     *     transient} when the database does not answer
     */
    public void checkTables() {
        tables.check();
    }

    /** The database with its version, and the prefix of the tables; neither an address nor a user. */
    @Override
    public String toString() {
        return description;
    }

    /** Gives the heartbeats' connection back. The store stays usable; it would take one again. */
    @Override
    public void close() {
        instances.close();
    }

    /** Collects what a {@link JdbcJobStore} needs to know. */
    public static final class Builder {

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
        private @Nullable Dialect dialect;

        private Builder(DataSource dataSource, PlatformTransactionManager transactionManager) {
            this.dataSource =
                    dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                            ? proxy.getTargetDataSource()
                            : dataSource;
            this.transactionManager = transactionManager;
        }

        /** What the tables' names begin with, {@code delayjob_} by default: {@code [A-Za-z_][A-Za-z0-9_]{0,30}}. */
        public Builder tablePrefix(String prefix) {
            this.tablePrefix = prefix;
            return this;
        }

        /** The schema of the tables; by default the connection's own. */
        public Builder schema(@Nullable String schema) {
            this.schema = schema;
            return this;
        }

        /**
         * How long a statement may take, 10 s by default; JDBC counts whole seconds. A timeout of the caller's
         * transaction takes its place there. Where many jobs are written by PostgreSQL's {@code COPY}, the server keeps
         * it, or a lower {@code statement_timeout} of the transaction. In transactions of the store's own a connection
         * that keeps silent for two seconds longer is given up. Pages of jobs and counts, which people wait for, may take
         * 5 s, or this if it is less.
         */
        public Builder statementTimeout(Duration timeout) {
            this.statementTimeout = checked("statement timeout", timeout);
            return this;
        }

        /**
         * How long the connection of the heartbeats may keep silent before they go on with another one, 3 s by default.
         * Three tenths of the engine's liveness leave time for a second try.
         */
        public Builder heartbeatTimeout(Duration timeout) {
            this.heartbeatTimeout = checked("heartbeat timeout", timeout);
            return this;
        }

        private static Duration checked(String what, Duration timeout) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException(
                        "Invalid %s %s: must be greater than zero.".formatted(what, timeout));
            }
            return timeout;
        }

        /** Whether new jobs are refused where there is no transaction to join; {@code false} by default. */
        public Builder requireTransaction(boolean require) {
            this.requireTransaction = require;
            return this;
        }

        /**
         * Maximum number of connections that atomic handlers hold at a time; no limit by default. A pool with two more
         * than this always has one for callers and the store's own statements, and one for the heartbeat. A handler
         * without a connection waits as long as a statement may take; then its job is released.
         */
        public Builder maxHandlerConnections(int connections) {
            if (connections < 1) {
                throw new IllegalArgumentException(
                        "Invalid number of connections for atomic handlers (%d): must be 1 or more."
                                .formatted(connections));
            }
            this.maxHandlerConnections = connections;
            return this;
        }

        /**
         * Maximum length of a payload that is read, in bytes of UTF-8; 1 MiB by default. A longer one stays in the
         * database. The engine refuses a limit below the maximum length that may be scheduled.
         */
        public Builder maxPayloadBytes(long bytes) {
            this.maxPayloadBytes = bytes;
            return this;
        }

        /** The dialect to use; by default the one that the database asks for. */
        public Builder dialect(Dialect dialect) {
            this.dialect = dialect;
            return this;
        }

        /**
         * Builds the store. Opens a connection for a moment, but reads and writes nothing.
         *
         * @throws IllegalArgumentException for a table prefix or schema that cannot be one, a transaction manager of
         *     another DataSource, or a database without a dialect
         * @throws StoreException when the database does not answer
         */
        public JdbcJobStore build() {
            if (transactionManager instanceof ResourceTransactionManager manager
                    && manager.getResourceFactory() instanceof DataSource managed
                    && managed != dataSource) {
                throw new IllegalArgumentException(
                        "Invalid transaction manager for %s: it manages %s, so jobs could never be written with the caller's data; hand in the same DataSource to both."
                                .formatted(dataSource, managed));
            }
            SqlTemplate template = new SqlTemplate(tablePrefix, schema, maxPayloadBytes);
            Dialect spoken;
            boolean readCommitted;
            String version;
            try (Connection connection = dataSource.getConnection()) {
                DatabaseMetaData metaData = connection.getMetaData();
                spoken = dialect == null ? Dialect.of(metaData) : dialect;
                version = "%d.%d".formatted(metaData.getDatabaseMajorVersion(), metaData.getDatabaseMinorVersion());
                readCommitted = connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
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
            transactions.checkManager();
            return new JdbcJobStore(
                    new Database(dataSource, spoken, template, statementTimeout),
                    transactions,
                    SilenceLimit.of(heartbeatTimeout),
                    new HandlerConnections(maxHandlerConnections, statementTimeout),
                    maxPayloadBytes,
                    "%s %s, prefix %s%s"
                            .formatted(spoken, version, tablePrefix, schema == null ? "" : ", schema " + schema));
        }
    }
}
