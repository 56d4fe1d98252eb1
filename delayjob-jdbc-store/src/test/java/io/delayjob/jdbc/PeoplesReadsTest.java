package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What people wait for is stopped in time, and says so. */
class PeoplesReadsTest {

    private final HikariDataSource pool = TestPostgres.newStore();
    private final JdbcTransactionManager manager = new JdbcTransactionManager(pool);
    private final JdbcJobStore store = JdbcJobStore.builder(pool, manager)
            .statementTimeout(Duration.ofSeconds(1))
            .build();

    @AfterEach
    void closeDatabase() {
        store.close();
        pool.close();
    }

    @Test
    void page_thatTakesTooLong_saysThatItWasStopped() throws SQLException {
        whileLocked(
                () -> store.find(JobQuery.state(JobState.FAILED), JobMaker.NOW),
                "The job store was stopped while looking for jobs, because the statement took longer than 1 s. A long lock");
    }

    @Test
    void counts_thatTakeTooLong_sayThatTheyWereStopped() throws SQLException {
        whileLocked(
                () -> store.counts(JobMaker.NOW),
                "The job store was stopped while counting jobs, because the statement took longer than 1 s");
    }

    @Test
    void page_inATransactionOfTheCaller_showsItsJobsAndLeavesItsSettingsAlone() {
        JobMaker jobs = new JobMaker(store);
        new TransactionTemplate(manager).executeWithoutResult(transaction -> {
            JobId id = jobs.submit(jobs.job()).id();

            assertThat(store.find(JobQuery.all(), JobMaker.NOW))
                    .extracting(Job::id)
                    .containsExactly(id);

            assertThat(new JdbcTemplate(pool).queryForObject("SHOW enable_seqscan", String.class))
                    .isEqualTo("on");
            transaction.setRollbackOnly();
        });
        assertThat(store.find(JobQuery.all(), JobMaker.NOW)).isEmpty();
    }

    private void whileLocked(ThrowingCallable read, String message) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE delayjob_history IN ACCESS EXCLUSIVE MODE");
            try {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(read)
                        .withMessageStartingWith(message)
                        .matches(StoreException::isTransient);
            } finally {
                connection.rollback();
            }
        }
    }
}
