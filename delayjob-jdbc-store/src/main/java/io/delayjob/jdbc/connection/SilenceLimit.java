package io.delayjob.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * How long a connection may keep silent before it counts as broken: its network time-out, put back before the pool gets
 * the connection again.
 *
 * <p>A statement's time-out does not bound that. The driver keeps it by asking the server to cancel the statement, and
 * then waits on, for the server's answer; over a network that loses everything, neither the request nor an answer
 * arrives. Nor has {@code COMMIT} a time-out at all. A driver without network time-outs is asked once, and then left as
 * it is. Thread-safe.
 */
public final class SilenceLimit {

    private static final Logger log = LoggerFactory.getLogger(SilenceLimit.class);

    /**
     * Beyond a statement's time-out: by then a server within reach has answered that it has cancelled the statement.
     */
    private static final Duration FOR_THE_CANCELLATION = Duration.ofSeconds(2);

    /** SQLSTATE of a feature that is not supported, with which not every driver throws the exception of that name. */
    private static final String NOT_SUPPORTED = "0A000";

    private final int millis;
    /** Whether the driver has network time-outs, once it was asked. */
    private volatile @Nullable Boolean supported;

    private SilenceLimit(Duration limit) {
        this.millis = Math.toIntExact(limit.toMillis());
    }

    /** A limit of that length. */
    public static SilenceLimit of(Duration limit) {
        return new SilenceLimit(limit);
    }

    /** A limit for statements with that time-out. */
    public static SilenceLimit beyond(Duration statementTimeout) {
        return new SilenceLimit(statementTimeout.plus(FOR_THE_CANCELLATION));
    }

    /** Warns if the driver of this connection has no network time-outs, because nothing is limited then. */
    public static void warnIfUnsupported(Connection connection) {
        try {
            if (!isSupportedBy(connection)) {
                log.warn(
                        "The driver '{}' has no network time-outs (Connection.setNetworkTimeout), so delayjob cannot give up a connection that has fallen silent: its threads wait until the driver itself does. Set a time-out of sockets in the driver's own properties or in the database's URL.",
                        connection.getMetaData().getDriverName());
            }
        } catch (SQLException broken) {
            log.debug("It cannot be told whether {} has network time-outs", connection, broken);
        }
    }

    /**
     * Whether the driver of this connection has network time-outs. The driver itself is asked, because a pool may take
     * its refusal for a broken connection.
     */
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
     * Limits the connection of the transaction under way, its commit included, until that has ended; does nothing where
     * transactions are not synchronised, for then nobody says when they have ended.
     */
    public void untilTransactionEnds(Connection connection) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            Runnable putBack = set(connection);
            boolean transaction = TransactionSynchronizationManager.isActualTransactionActive();
            TransactionSynchronizationManager.registerSynchronization(new PutBack(putBack, transaction));
        }
    }

    /**
     * Limits the connection from now on, unless a stricter limit holds.
     *
     * @return puts back what was before; to be run before the connection is given away
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
            log.debug("No network time-out could be set on {}", connection, refusal);
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
                    "The network time-out of {} could not be put back; it is broken, or closed already",
                    connection,
                    broken);
        }
    }

    private static void set(Connection connection, int millis) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    /**
     * @param transaction whether there is a transaction, which holds its connection until it has completed; a scope
     *     without one gives it back just before
     */
    private record PutBack(Runnable action, boolean transaction) implements TransactionSynchronization {

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void beforeCompletion() {
            if (!transaction) {
                action.run();
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (transaction) {
                action.run();
            }
        }
    }
}
