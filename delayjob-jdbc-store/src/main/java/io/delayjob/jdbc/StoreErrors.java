package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionTimedOutException;

/**
 * Translates errors of the database to exceptions of the store. Each exception tells whether the same call may succeed
 * later.
 */
public final class StoreErrors {

    /**
     * SQLSTATEs of temporary failures without an exception class of their own. 25006: read-only server. 90097:
     * read-only H2 database. 57P0x: the server starts or stops. 25P03: the server has waited too long for the next
     * statement. 90067, 90098, 90121: H2 has lost the connection.
     */
    private static final Set<String> PASSING_STATES =
            Set.of("25006", "25P03", "57P01", "57P02", "57P03", "90067", "90097", "90098", "90121");

    /** PostgreSQL's SQLSTATE for a lock that was not free in time. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /**
     * Errors of MySQL and MariaDB that another transaction has caused. 1205: a lock was not free in time. 1020: a row
     * has changed since the transaction began.
     */
    private static final Set<Integer> CONFLICTS = Set.of(1205, 1020);

    /** Errors of MySQL and MariaDB for a read-only server. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1836);

    /** Error of MySQL and MariaDB for a savepoint that does not exist. */
    private static final int UNKNOWN_SAVEPOINT = 1305;

    private StoreErrors() {}

    /**
     * Returns the exception that the store throws instead of {@code error}. An error that did not come from the
     * database is returned unchanged.
     *
     * @param doing the work under way, such as "claiming jobs"
     */
    public static RuntimeException translate(String doing, RuntimeException error) {
        return translate(doing, error, "*");
    }

    static RuntimeException translate(String doing, RuntimeException error, String platform) {
        if (!(error instanceof DataAccessException || error instanceof TransactionException)) {
            return error;
        }
        if (isPassing(error)) {
            return StoreException.unavailable(
                    "The job store did not answer while %s (%s): the same call may succeed later."
                            .formatted(doing, reason(error)),
                    error);
        }
        String advice = error instanceof BadSqlGrammarException
                ? "check that the tables exist and fit this version of delayjob; the script is schema-%s.sql in delayjob's jar"
                        .formatted(platform)
                : "the same call will be refused again";
        return StoreException.refused(
                "The job store failed while %s (%s): %s.".formatted(doing, reason(error), advice), error);
    }

    /** Returns the driver's message, because Spring's message would contain the SQL statement. */
    private static String reason(RuntimeException error) {
        SQLException cause = sqlException(error);
        String said = cause == null ? error.getMessage() : cause.getMessage();
        return said == null ? String.valueOf(cause) : said.strip().replaceAll("\\s+", " ");
    }

    static StoreException unknown(String doing, RuntimeException error) {
        return StoreException.unavailable(
                "The job store did not answer the commit while %s (%s): it is unknown whether the work was committed."
                        .formatted(doing, reason(error)),
                error);
    }

    /**
     * Translates an error in a caller's transaction. After a conflict, only the caller can repeat the whole
     * transaction.
     */
    static RuntimeException translateInCallers(String doing, RuntimeException error) {
        if (!isConflict(error)) {
            return translate(doing, error);
        }
        return StoreException.unavailable(
                "The database ended the caller's transaction while %s (%s), and all of it was rolled back: repeat the whole transaction."
                        .formatted(doing, reason(error)),
                error);
    }

    /** Tells whether another transaction caused the error, as in a deadlock. */
    static boolean isConflict(RuntimeException error) {
        SQLException cause = sqlException(error);
        return error instanceof ConcurrencyFailureException || cause != null && isConflict(cause);
    }

    private static boolean isConflict(SQLException error) {
        return CONFLICTS.contains(error.getErrorCode()) || LOCK_NOT_AVAILABLE.equals(error.getSQLState());
    }

    /**
     * Tells whether the error is the server's answer. An error of a server that is shutting down is no answer, because
     * the server may have committed.
     */
    static boolean isAnswer(RuntimeException error) {
        SQLException cause = sqlException(error);
        String state = cause == null ? null : cause.getSQLState();
        return state != null && !state.startsWith("08") && !state.startsWith("57P");
    }

    static boolean isUnknownSavepoint(RuntimeException error) {
        SQLException cause = sqlException(error);
        return cause != null && cause.getErrorCode() == UNKNOWN_SAVEPOINT;
    }

    static boolean isPassing(RuntimeException error) {
        return error instanceof TransientDataAccessException
                || error instanceof RecoverableDataAccessException
                || error instanceof DataAccessResourceFailureException
                || error instanceof CannotCreateTransactionException
                || error instanceof TransactionTimedOutException
                || isPassing(sqlException(error));
    }

    private static boolean isPassing(@Nullable SQLException error) {
        if (error == null) {
            return false;
        }
        return error instanceof SQLTransientException
                || error instanceof SQLRecoverableException
                || error instanceof SQLNonTransientConnectionException
                || isPassingState(error.getSQLState())
                || isConflict(error)
                || READ_ONLY.contains(error.getErrorCode());
    }

    /** An error without an SQLSTATE comes from the pool, and means a broken connection. */
    private static boolean isPassingState(@Nullable String state) {
        return state == null || PASSING_STATES.contains(state) || state.startsWith("08") || state.startsWith("40");
    }

    private static @Nullable SQLException sqlException(Throwable error) {
        Throwable cause = error;
        while (cause != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return (SQLException) cause;
    }
}
