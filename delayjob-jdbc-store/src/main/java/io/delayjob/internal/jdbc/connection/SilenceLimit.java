package io.delayjob.internal.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Limits how long a connection waits for a silent server. The class sets the network timeout of the connection, and
 * later restores the previous timeout.
 *
 * <p>The timeout of a statement is not enough. When this timeout expires, the driver asks the server to cancel the
 * statement, and waits for an answer. If the network loses all packets, no answer comes. {@code COMMIT} has no timeout
 * at all. Thread-safe.
 */
public final class SilenceLimit {

    private static final Logger log = LoggerFactory.getLogger(SilenceLimit.class);

    /** Time for a reachable server to answer that a statement was cancelled. */
    private static final Duration FOR_THE_CANCELLATION = Duration.ofSeconds(2);

    /** SQLSTATE of an unsupported feature. Some drivers do not use JDBC's exception class for unsupported features. */
    private static final String NOT_SUPPORTED = "0A000";

    private final int millis;
    /** Whether the driver supports network timeouts; {@code null} until the driver was asked. */
    private volatile @Nullable Boolean supported;

    private SilenceLimit(Duration limit) {
        this.millis = Math.toIntExact(limit.toMillis());
    }

    /** Creates a limit of this length. */
    public static SilenceLimit of(Duration limit) {
        return new SilenceLimit(limit);
    }

    /** Creates a limit for statements that have this timeout. */
    public static SilenceLimit beyond(Duration statementTimeout) {
        return new SilenceLimit(statementTimeout.plus(FOR_THE_CANCELLATION));
    }

    /**
     * Warns if the driver of this connection does not support network timeouts. Without network timeouts, a thread may
     * wait for a silent server for ever.
     */
    public static void warnIfUnsupported(Connection connection) {
        try {
            if (!isSupportedBy(connection)) {
                log.warn(
                        "The JDBC driver '{}' has no network timeouts (Connection.setNetworkTimeout). So a "
                                + "thread may wait for a long time if the database does not answer. Set a socket "
                                + "timeout in the driver's own properties or in the database's URL.",
                        connection.getMetaData().getDriverName());
            }
        } catch (SQLException broken) {
            log.debug(
                    "delayjob could not check whether the JDBC driver supports network timeouts on the connection "
                            + "{}, and tries again with the next connection.",
                    connection,
                    broken);
        }
    }

    /** Asks the driver directly, because the pool may treat a refusal as a broken connection. */
    private static boolean isSupportedBy(Connection connection) throws SQLException {
        Connection drivers =
                connection.isWrapperFor(Connection.class) ? connection.unwrap(Connection.class) : connection;
        try {
            set(drivers, drivers.getNetworkTimeout());
            return true;
        } catch (SQLException refusal) {
            if (isUnsupported(refusal)) {
                return false;
            }
            throw refusal;
        }
    }

    private static boolean isUnsupported(SQLException refusal) {
        return refusal instanceof SQLFeatureNotSupportedException || NOT_SUPPORTED.equals(refusal.getSQLState());
    }

    /**
     * Limits the connection until the current transaction has ended, including its commit. A global (JTA) manager is an
     * exception: Spring gives the connection back before this manager commits, so the limit ends before the commit. If
     * Spring does not synchronise transactions, the method does nothing.
     *
     * @param manager the manager of the current transaction
     */
    public void untilTransactionEnds(Connection connection, PlatformTransactionManager manager) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            boolean isOfTransaction = manager instanceof ResourceTransactionManager
                    && TransactionSynchronizationManager.isActualTransactionActive();
            TransactionSynchronizationManager.registerSynchronization(
                    new PutBack(set(connection), isOfTransaction ? Return.AFTER_COMPLETION : Return.BEFORE_COMPLETION));
        }
    }

    /**
     * Limits the connection until Spring gives it back. The connection must not be in a transaction, but a transaction
     * of another DataSource may be open. If Spring does not synchronise transactions, the method does nothing.
     */
    public void untilGivenBack(Connection connection) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(
                    new PutBack(set(connection), Return.BEFORE_COMPLETION));
        }
    }

    /**
     * Limits the connection from now on, unless a stricter limit is in force.
     *
     * @return an action that restores the previous limit; run this action before the connection is given back
     */
    public Runnable set(Connection connection) {
        try {
            if (!isSupported(connection)) {
                return () -> {};
            }
            int before = connection.getNetworkTimeout();
            if (before > 0 && before <= millis) {
                return () -> {};
            }
            set(connection, millis);
            return () -> putBack(connection, before);
        } catch (SQLException refusal) {
            if (isUnsupported(refusal)) {
                supported = false;
            }
            log.debug(
                    "delayjob could not set a network timeout on the connection {}, and uses it without one.",
                    connection,
                    refusal);
            return () -> {};
        }
    }

    private boolean isSupported(Connection connection) throws SQLException {
        Boolean known = supported;
        if (known == null) {
            known = isSupportedBy(connection);
            supported = known;
        }
        return known;
    }

    private static void putBack(Connection connection, int millis) {
        try {
            set(connection, millis);
        } catch (SQLException broken) {
            log.debug(
                    "delayjob could not restore the network timeout of the connection {}, because it is broken or "
                            + "already closed.",
                    connection,
                    broken);
        }
    }

    private static void set(Connection connection, int millis) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    /** When Spring gives a connection back. */
    private enum Return {
        AFTER_COMPLETION,

        /** The connection is also given back when the transaction is suspended. */
        BEFORE_COMPLETION
    }

    private static final class PutBack implements TransactionSynchronization {

        private final Return when;
        private Runnable action;

        PutBack(Runnable action, Return when) {
            this.action = action;
            this.when = when;
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void suspend() {
            if (when == Return.BEFORE_COMPLETION) {
                runOnce();
            }
        }

        @Override
        public void beforeCompletion() {
            if (when == Return.BEFORE_COMPLETION) {
                runOnce();
            }
        }

        /** During {@code afterCommit}, it is too late for {@link #beforeCompletion}. */
        @Override
        public void afterCompletion(int status) {
            runOnce();
        }

        private void runOnce() {
            action.run();
            action = () -> {};
        }
    }
}
