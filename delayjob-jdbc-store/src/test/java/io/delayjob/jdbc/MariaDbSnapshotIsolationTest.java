package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.OnExisting;
import io.delayjob.store.StoreException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** MariaDB from 11.6 on refuses in REPEATABLE READ to lock what has changed since; earlier ones do so when asked. */
@Tag("all-databases")
class MariaDbSnapshotIsolationTest {

    @Test
    void rowThatHasChangedSince_isAConflictThatTheCallerMayRepeat() {
        try (HikariDataSource pool = TestMariaDb.newDatabase()) {
            pool.setConnectionInitSql("SET SESSION innodb_snapshot_isolation = ON");
            TestSchema.apply(pool);
            JdbcTransactionManager manager = new JdbcTransactionManager(pool);
            try (JdbcJobStore store = JdbcJobStore.builder(pool, manager).build()) {
                JobMaker jobs = new JobMaker(store);
                jobs.submit(jobs.job("42", OnExisting.KEEP));
                TransactionTemplate transaction = new TransactionTemplate(manager);

                assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                            new JdbcTemplate(pool).queryForList("SELECT id FROM delayjob_job");
                            CompletableFuture.runAsync(() -> jobs.submit(jobs.job("42", OnExisting.REPLACE)))
                                    .join();
                            jobs.submit(jobs.job("42", OnExisting.REPLACE));
                        }))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                error -> assertThat(error.isTransient()).isTrue())
                        .hasMessageContaining("repeat the whole transaction");
            }
        }
    }
}
