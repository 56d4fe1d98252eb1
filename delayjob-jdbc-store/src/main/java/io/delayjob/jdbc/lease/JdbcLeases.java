package io.delayjob.jdbc.lease;

import io.delayjob.internal.jdbc.connection.QuietTransactionManager;
import io.delayjob.internal.jdbc.connection.SilenceLimit;
import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import io.delayjob.jdbc.StoreErrors;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.shedlock.ShedLockLeaseProvider;
import io.delayjob.time.EngineClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.sql.DatabaseProduct;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Keeps leases in ShedLock's table, in the database of the jobs. */
public final class JdbcLeases {

    /** Time limit of a lock statement. After a longer wait, most of the lease would be over. */
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(5);

    private JdbcLeases() {}

    /**
     * Creates leases in ShedLock's table. The clock of the database decides when a lease ends. Even if this clock is
     * set back, the lease of a dead holder ends. Each lock is taken in a new transaction, which needs a connection of
     * its own. So use the leases on a thread without an open transaction. Thread-safe.
     *
     * @param platform Spring Boot's name of the database: {@code h2}, {@code mariadb}, {@code mysql} or {@code
     *     postgresql}
     * @param incarnation name of the holder. Each start of a process needs a different name. Otherwise, two processes
     *     would free each other's locks
     * @param clock the clock of the engine
     * @throws IllegalArgumentException if the platform is unknown
     */
    public static LeaseProvider inDatabase(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            String platform,
            String incarnation,
            EngineClock clock) {
        Dialect dialect = Dialect.named(platform);
        SqlTemplate template = new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null);
        PlatformTransactionManager quiet = QuietTransactionManager.besides(transactionManager, dataSource);
        JdbcTemplate jdbc = new LockStatements(dataSource, quiet, dialect);
        TransactionTemplate ownTransactions = new TransactionTemplate(quiet);
        ownTransactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        LockRows rows = new LockRows(
                new NamedParameterJdbcTemplate(jdbc),
                ownTransactions,
                template.fill(dialect, dialect.register().shortenLock()),
                clock);
        LockProvider locks = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(jdbc)
                .withTransactionManager(quiet)
                .withTableName(template.lockTable())
                .withLockedByValue(incarnation)
                .withDatabaseProduct(productOf(dialect))
                .usingDbTime()
                .build());
        return new ShedLockLeaseProvider(new DatabaseLocks(locks, rows), clock);
    }

    /** ShedLock may not recognise the product name of the database. */
    private static DatabaseProduct productOf(Dialect dialect) {
        return switch (dialect.platform()) {
            case "postgresql" -> DatabaseProduct.POSTGRES_SQL;
            case "mariadb" -> DatabaseProduct.MARIA_DB;
            case "mysql" -> DatabaseProduct.MY_SQL;
            case "h2" -> DatabaseProduct.H2;
            default ->
                throw new IllegalArgumentException(
                        "Invalid platform '%s' for leases: must be a database that ShedLock supports"
                                .formatted(dialect.platform()));
        };
    }

    /** Runs ShedLock's statements under the limits of the store's own statements. */
    private static final class LockStatements extends JdbcTemplate {

        private final SilenceLimit silence = SilenceLimit.beyond(STATEMENT_TIMEOUT);
        private final PlatformTransactionManager manager;
        private final Dialect dialect;

        LockStatements(DataSource dataSource, PlatformTransactionManager manager, Dialect dialect) {
            super(dataSource);
            this.manager = manager;
            this.dialect = dialect;
            if (!dialect.keepsTimeoutOnConnection()) {
                setQueryTimeout(Math.toIntExact(STATEMENT_TIMEOUT.toSeconds()));
            }
        }

        /**
         * Translates an unexpected exception into a store exception, and throws it. Otherwise, ShedLock would log the
         * exception as an error with a stack trace.
         */
        @Override
        protected DataAccessException translateException(String task, @Nullable String sql, SQLException failure) {
            DataAccessException translated = super.translateException(task, sql, failure);
            if (translated instanceof DuplicateKeyException || translated instanceof ConcurrencyFailureException) {
                return translated;
            }
            throw StoreErrors.translate("asking for a lease", translated);
        }

        @Override
        protected void applyStatementSettings(Statement statement) throws SQLException {
            super.applyStatementSettings(statement);
            Connection connection = statement.getConnection();
            silence.untilTransactionEnds(connection, manager);
            if (!dialect.guard().isEmpty()) {
                try (Statement guard = connection.createStatement()) {
                    guard.execute(dialect.guard());
                }
            }
        }
    }
}
