package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobExistsException;
import io.delayjob.store.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;

class StoreErrorsTest {

    static Stream<RuntimeException> passing() {
        SQLException poolExhausted = new SQLTransientConnectionException("Connection is not available");
        return Stream.of(
                new CannotGetJdbcConnectionException("no connection", poolExhausted),
                new CannotCreateTransactionException("no connection", poolExhausted),
                new QueryTimeoutException("too slow"),
                new CannotAcquireLockException("locked"),
                new TransactionTimedOutException("too slow"),
                new TransactionSystemException("commit failed", new SQLException("broken pipe", "08006")),
                // The pool's answer for a connection that broke at the commit: it hides why.
                new TransactionSystemException("JDBC rollback failed", new SQLException("Connection is closed")),
                new UncategorizedSQLException("task", "sql", new SQLException("Connection is closed")));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void whatPasses_isTransient(RuntimeException error) {
        assertThat(StoreErrors.translate("claiming jobs", error))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("while claiming jobs")
                .hasCause(error)
                .satisfies(translated ->
                        assertThat(((StoreException) translated).isTransient()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"25006", "25P03", "57P01", "57P03", "55P03", "08003", "40P01", "90121"})
    void statesThatPass_areTransientUnderAnyException(String state) {
        RuntimeException error =
                new UncategorizedSQLException("task", "sql", new SQLException("database says no", state));

        assertThat(((StoreException) StoreErrors.translate("claiming jobs", error)).isTransient())
                .isTrue();
    }

    @Test
    void messages_areOneLineThatSaysWhatTheDatabaseSaid() {
        String sql = "SET LOCAL a = b;\nUPDATE delayjob_job\nSET state = 1";
        SQLException said = new SQLException("ERROR: canceling statement\n  due to user request", "57014");

        assertThat(StoreErrors.translate("claiming 5 jobs", new QueryTimeoutException("task; SQL [" + sql + "]", said)))
                .hasMessage(
                        "The job store did not answer while claiming 5 jobs (ERROR: canceling statement due to user "
                                + "request): the same call may succeed later.");
        assertThat(StoreErrors.translate("claiming 5 jobs", new BadSqlGrammarException("task", sql, said)))
                .hasMessageStartingWith("The job store failed while claiming 5 jobs (ERROR: canceling statement due to")
                .message()
                .doesNotContain("\n", "UPDATE");
        assertThat(StoreErrors.translate("claiming 5 jobs", new TransactionTimedOutException("deadline\nreached")))
                .hasMessageContaining("(deadline reached)");
    }

    static Stream<RuntimeException> refusals() {
        return Stream.of(
                new DataIntegrityViolationException("value too long"),
                new BadSqlGrammarException("task", "sql", new SQLException("no such table", "42P01")),
                new TransactionSystemException("commit failed", new SQLException("deferred constraint", "23503")),
                new UncategorizedSQLException("task", "sql", new SQLException("odd", "XX000")));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatStays_isRefused(RuntimeException error) {
        assertThat(((StoreException) StoreErrors.translate("claiming jobs", error)).isTransient())
                .isFalse();
    }

    @Test
    void whatIsNotTheDatabases_comesBackAsItIs() {
        RuntimeException own = new JobExistsException("send-mail", "42");

        assertThat(StoreErrors.translate("writing jobs", own)).isSameAs(own);
    }

    @ParameterizedTest
    @ValueSource(strings = {"25006", "40P01", "57014", "55P03", "23505"})
    void refusalOfAStatement_isItsAnswer(String state) {
        assertThat(StoreErrors.isAnswer(new UncategorizedSQLException("task", "sql", new SQLException("no", state))))
                .isTrue();
    }

    /** A server that shuts down may say so when the commit is done already. */
    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P02", "08006", "08003"})
    void brokenLine_isNoAnswer(String state) {
        assertThat(StoreErrors.isAnswer(new UncategorizedSQLException("task", "sql", new SQLException("no", state))))
                .isFalse();
    }

    @Test
    void whatHasNoState_isNoAnswer() {
        assertThat(StoreErrors.isAnswer(
                        new UncategorizedSQLException("task", "sql", new SQLException("Connection is closed"))))
                .isFalse();
        assertThat(StoreErrors.isAnswer(new QueryTimeoutException("too slow"))).isFalse();
    }
}
