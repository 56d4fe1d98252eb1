package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.store.StoreException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A trigger or a policy may keep rows that a statement was to delete, without an error. */
class PostgreSqlKeptRowTest {

    @Test
    void cancelOfARowThatStays_isNotSaidToBeDone() {
        try (HikariDataSource pool = TestPostgres.newStore()) {
            JdbcJobStore store =
                    JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build();
            JobMaker jobs = new JobMaker(store);
            NewJob job = jobs.job();
            jobs.submit(job);
            JdbcTemplate database = new JdbcTemplate(pool);
            database.execute("CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
            database.execute("CREATE TRIGGER keep BEFORE DELETE ON delayjob_job FOR EACH ROW EXECUTE FUNCTION keep()");

            assertThatThrownBy(() -> store.cancel(job.id(), Instant.EPOCH))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("its row could not be deleted");

            assertThat(store.find(job.id()))
                    .get()
                    .extracting(found -> found.state())
                    .isEqualTo(JobState.DELAYED);
            store.close();
        }
    }
}
