package io.delayjob.jdbc.lease;

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
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

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

    /**
     * @param locks whoever grants the locks. A provider that cannot extend a lock (ZooKeeper's) frees and takes it
     *     instead
     * @param clock says from when a lock is counted, for providers that do not ask a server
     */
    public ShedLockLeaseProvider(LockProvider locks, EngineClock clock) {
        this.locks = locks;
        this.clock = clock;
    }

    /**
     * Leases in ShedLock's table, by the database's clock.
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
        return new ShedLockLeaseProvider(
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(jdbc)
                        .withTransactionManager(transactionManager)
                        .withTableName(template.lockTable())
                        .withLockedByValue(incarnation)
                        .usingDbTime()
                        .build()),
                clock);
    }

    @Override
    public Optional<Lease> acquire(String name, Duration duration) {
        return locks.lock(new LockConfiguration(clock.storeTime(), name, duration, Duration.ZERO))
                .map(lock -> new LockLease(name, lock));
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
