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
 * later or will be refused again.
 */
public final class StoreErrors {

    /**
     * SQLSTATEs of temporary failures. For these SQLSTATEs, drivers have no exception class that means a temporary
     * failure. 25006 means that the server is read-only, as a standby server is. 90097 means that a database of H2 is
     * read-only. 57P0x means that the server starts or shuts down. 25P03 means that the server has waited too long for
     * the next statement. 90067, 90098 and 90121 mean that H2 has closed or lost the connection.
     */
    private static final Set<String> PASSING_STATES =
            Set.of("25006", "25P03", "57P01", "57P02", "57P03", "90067", "90097", "90098", "90121");

    /** PostgreSQL's SQLSTATE if the wait for a lock took too long. Drivers have no exception class for this error. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /**
     * Error numbers of MySQL and MariaDB for errors that another transaction has caused. The number 1205 means that the
     * wait for a lock took too long. The number 1020 means that a row has changed since the transaction began. The
     * SQLSTATE of these errors may be unspecific.
     */
    private static final Set<Integer> CONFLICTS = Set.of(1205, 1020);

    /** Error numbers of MySQL and MariaDB for a read-only server, such as a replica. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1836);

    /** Error number of MySQL and MariaDB for a savepoint that does not exist. */
    private static final int UNKNOWN_SAVEPOINT = 1305;

    private StoreErrors() {}

    /**
     * Returns the store's exception for {@code error}. An error that did not come from the database is returned as it
     * is.
     *
     * @param doing the work under way, such as "claiming jobs"
     */
    public static RuntimeException translate(String doing, RuntimeException error) {
        return translate(doing, error, "*");
    }

    /**
     * Like {@link #translate(String, RuntimeException)}, but the message also names the schema script of this database.
     *
     * @param platform the part of the schema script's name that differs between databases
     */
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

    /**
     * Returns the message of the database in one line. Spring's own message would repeat what delayjob was doing, and
     * quote the statement.
     */
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
     * Translates an error in the caller's transaction. If another transaction has caused the error, the message asks
     * the caller to repeat the whole transaction. Only the caller can do this.
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

    /**
     * Tells whether another transaction made this transaction fail, as in a deadlock.
     */
    static boolean isConflict(RuntimeException error) {
        SQLException cause = sqlException(error);
        return error instanceof ConcurrencyFailureException || cause != null && isConflict(cause);
    }

    private static boolean isConflict(SQLException error) {
        return CONFLICTS.contains(error.getErrorCode()) || LOCK_NOT_AVAILABLE.equals(error.getSQLState());
    }

    /**
     * Tells whether the database has answered that it refuses the statement. A refused statement has changed nothing. A
     * server that is shutting down may send an error although it has committed. Therefore such an error is not treated
     * as an answer.
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

    /**
     * Tells whether a failure with this SQLSTATE is temporary. An error of the database has an SQLSTATE. An error
     * without one comes from the connection pool and means that a connection is broken. So {@code null} counts as
     * temporary. For example, a commit gets no answer, and the rollback after it fails, too. The caller then gets the
     * pool's exception for the rollback in place of the exception for the commit.
     */
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
