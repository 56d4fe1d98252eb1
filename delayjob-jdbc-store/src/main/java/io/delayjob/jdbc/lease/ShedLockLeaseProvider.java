package io.delayjob.jdbc.lease;

import io.delayjob.jdbc.StoreErrors;
import io.delayjob.jdbc.connection.QuietTransactionManager;
import io.delayjob.jdbc.connection.SilenceLimit;
import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
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

/**
 * Leases by ShedLock, one lock each. A lease says who preloads and never who runs, so a lock provider's own rules of
 * who its holder is do no harm.
 *
 * <p>Call it from a thread of its own, outside any transaction: a lock is taken in a transaction of the provider's own.
 * Thread-safe as far as the lock provider is, which all of ShedLock's are.
 */
public final class ShedLockLeaseProvider implements LeaseProvider {

    /** A lock statement that takes longer than this has missed most of its lease. */
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(5);

    private final LockProvider locks;
    private final EngineClock clock;
    private final BiConsumer<String, Duration> onRefusal;

    /**
     * @param locks whoever grants the locks. A provider that cannot extend a lock (ZooKeeper's) frees and takes it
     *     instead
     * @param clock says from when a lock is counted, for providers that do not ask a server
     */
    public ShedLockLeaseProvider(LockProvider locks, EngineClock clock) {
        this(locks, clock, (name, duration) -> {});
    }

    private ShedLockLeaseProvider(LockProvider locks, EngineClock clock, BiConsumer<String, Duration> onRefusal) {
        this.locks = locks;
        this.clock = clock;
        this.onRefusal = onRefusal;
    }

    /**
     * Leases in ShedLock's table, by the database's clock. If that clock is set back, a dead holder's lease still ends
     * at most one duration after another instance has asked for it.
     *
     * @param template names the table
     * @param incarnation the holder: unique to this start of this process, for ShedLock's default, the host's name,
     *     would let two processes renew and free each other's locks
     */
    public static ShedLockLeaseProvider inDatabase(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            Dialect dialect,
            SqlTemplate template,
            String incarnation,
            EngineClock clock) {
        SilenceLimit silence = SilenceLimit.beyond(STATEMENT_TIMEOUT);
        JdbcTemplate jdbc = new JdbcTemplate(dataSource) {
            /** ShedLock logs an error with its stack for each exception of Spring's that it does not expect. */
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
                silence.untilTransactionEnds(connection);
                if (!dialect.guard().isEmpty()) {
                    try (Statement guard = connection.createStatement()) {
                        guard.execute(dialect.guard());
                    }
                }
            }
        };
        if (!dialect.keepsTimeoutOnConnection()) {
            jdbc.setQueryTimeout(Math.toIntExact(STATEMENT_TIMEOUT.toSeconds()));
        }
        PlatformTransactionManager quiet = QuietTransactionManager.besides(transactionManager, dataSource);
        TransactionTemplate ownTransactions = new TransactionTemplate(quiet);
        ownTransactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        LockRows rows = new LockRows(
                new NamedParameterJdbcTemplate(jdbc),
                ownTransactions,
                template.fill(dialect, dialect.shortenLock()),
                clock);
        return new ShedLockLeaseProvider(
                new TranslatedLocks(new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(jdbc)
                        .withTransactionManager(quiet)
                        .withTableName(template.lockTable())
                        .withLockedByValue(incarnation)
                        .withDatabaseProduct(productOf(dialect))
                        .usingDbTime()
                        .build())),
                clock,
                rows::refused);
    }

    /** ShedLock would go by the name of the database, which may be one that it does not know. */
    private static DatabaseProduct productOf(Dialect dialect) {
        return switch (dialect.platform()) {
            case "postgresql" -> DatabaseProduct.POSTGRES_SQL;
            case "mariadb" -> DatabaseProduct.MARIA_DB;
            case "mysql" -> DatabaseProduct.MY_SQL;
            case "h2" -> DatabaseProduct.H2;
            default ->
                throw new IllegalArgumentException("No leases in a database of platform '%s': must be one of ShedLock's"
                        .formatted(dialect.platform()));
        };
    }

    @Override
    public Optional<Lease> acquire(String name, Duration duration) {
        Optional<SimpleLock> lock = locks.lock(new LockConfiguration(clock.storeTime(), name, duration, Duration.ZERO));
        if (lock.isEmpty()) {
            onRefusal.accept(name, duration);
        }
        return lock.map(granted -> new LockLease(name, granted));
    }

    private final class LockLease implements Lease {
        private final String name;
        private final SimpleLock lock;

        LockLease(String name, SimpleLock lock) {
            this.name = name;
            this.lock = lock;
        }

        @Override
        public Optional<Lease> extend(Duration duration) {
            try {
                return lock.extend(duration, Duration.ZERO).map(extended -> new LockLease(name, extended));
            } catch (UnsupportedOperationException cannotExtend) {
                lock.unlock();
                return acquire(name, duration);
            }
        }

        @Override
        public void release() {
            lock.unlock();
        }

        @Override
        public String toString() {
            return "lease " + name;
        }
    }
}
