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

/** Sorts what a database can throw: may the same call succeed later, or will it be refused again? */
public final class StoreErrors {

    /**
     * SQLSTATEs of failures that pass although no exception class says so: a database that is read-only (a standby
     * before it takes over; H2 90097), that is shutting down or starting (57P0x), that gave up waiting for the next
     * statement (25P03), or that H2 has closed or lost (90067, 90098, 90121).
     */
    private static final Set<String> PASSING_STATES =
            Set.of("25006", "25P03", "57P01", "57P02", "57P03", "90067", "90097", "90098", "90121");

    /** SQLSTATE of PostgreSQL, for a lock that was waited for no longer; its exception has no class of its own. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /**
     * Numbers of MySQL and MariaDB, whose SQLSTATE may say nothing, for a transaction that lost against another one: a
     * lock that was waited for too long, or a row that has changed since the transaction began.
     */
    private static final Set<Integer> CONFLICTS = Set.of(1205, 1020);

    /** Numbers of theirs for a server that is read-only, the replica before it takes over. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1836);

    /** Number of theirs for a savepoint that is not there. */
    private static final int UNKNOWN_SAVEPOINT = 1305;

    private StoreErrors() {}

    /**
     * The store's exception for {@code error}; anything that is not the database's comes back as it is.
     *
     * @param doing what was under way, as in "claiming jobs"
     */
    public static RuntimeException translate(String doing, RuntimeException error) {
        return translate(doing, error, "*");
    }

    /**
     * The same where the kind of database is known.
     *
     * @param platform the part of the schema script's name that differs
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
                ? "check that its tables are there and of this version: delayjob brings them as schema-%s.sql"
                        .formatted(platform)
                : "the same call will be refused again";
        return StoreException.refused(
                "The job store failed while %s (%s): %s.".formatted(doing, reason(error), advice), error);
    }

    /**
     * What the database said, in one line: Spring's message begins with what was under way, and quotes the statement.
     */
    private static String reason(RuntimeException error) {
        SQLException cause = sqlException(error);
        String said = cause == null ? error.getMessage() : cause.getMessage();
        return said == null ? String.valueOf(cause) : said.strip().replaceAll("\\s+", " ");
    }

    /** The store's exception for a commit that was not heard back from. */
    static StoreException unknown(String doing, RuntimeException error) {
        return StoreException.unavailable(
                "The job store did not answer to the commit while %s (%s): whether that was done is unknown."
                        .formatted(doing, reason(error)),
                error);
    }

    /** As {@link #translate}, of a transaction that only the caller can repeat. */
    static RuntimeException translateInCallers(String doing, RuntimeException error) {
        if (!isConflict(error)) {
            return translate(doing, error);
        }
        return StoreException.unavailable(
                "The database broke off the caller's transaction while %s (%s): all of it is rolled back; repeat the whole transaction."
                        .formatted(doing, reason(error)),
                error);
    }

    /** Whether the transaction lost against another one; it is rolled back. */
    static boolean isConflict(RuntimeException error) {
        SQLException cause = sqlException(error);
        return error instanceof ConcurrencyFailureException || cause != null && isConflict(cause);
    }

    private static boolean isConflict(SQLException error) {
        return CONFLICTS.contains(error.getErrorCode()) || LOCK_NOT_AVAILABLE.equals(error.getSQLState());
    }

    /**
     * Whether a statement itself was refused, and so has done nothing. A server that is shutting down may say so in the
     * place of the answer to a commit.
     */
    static boolean isAnswer(RuntimeException error) {
        SQLException cause = sqlException(error);
        String state = cause == null ? null : cause.getSQLState();
        return state != null && !state.startsWith("08") && !state.startsWith("57P");
    }

    /** Whether the savepoint that was named is not there. */
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
     * A database that refuses says why. What comes without a state is the pool's, of a connection that is gone: so the
     * rollback fails that follows a commit without an answer, and its exception takes the place of the commit's.
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
