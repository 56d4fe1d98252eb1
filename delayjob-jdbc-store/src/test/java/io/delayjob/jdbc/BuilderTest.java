package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.job.NewJob;
import io.delayjob.store.Durability;
import io.delayjob.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class BuilderTest {

    @Test
    void managerOfAnotherDataSource_isRefused() {
        try (HikariDataSource jobs = TestH2.inMemory();
                HikariDataSource other = TestH2.inMemory()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcJobStore.builder(jobs, new JdbcTransactionManager(other))
                            .build())
                    .withMessageContaining("same DataSource");
        }
    }

    @Test
    void transactionAwareDataSource_isLookedThrough() {
        try (HikariDataSource pool = TestH2.newStore()) {
            JdbcTransactionManager manager = new JdbcTransactionManager(pool);
            JdbcJobStore store = JdbcJobStore.builder(new TransactionAwareDataSourceProxy(pool), manager)
                    .build();
            NewJob job = new JobMaker(store).job();

            new TransactionTemplate(manager).executeWithoutResult(status -> {
                store.submit(List.of(job), rows -> {});
                status.setRollbackOnly();
            });

            assertThat(store.find(job.id())).isEmpty();
        }
    }

    @Test
    void storesOfOneManager_shareOneListenerOfItsTransactions() {
        try (HikariDataSource pool = TestH2.newStore()) {
            JdbcTransactionManager manager = new JdbcTransactionManager(pool);
            for (int i = 0; i < 50; i++) {
                JdbcJobStore.builder(pool, manager).build().close();
            }

            assertThat(manager.getTransactionExecutionListeners()).hasSize(1);
        }
    }

    @Test
    void store_saysWhatItIsWithoutItsAddress() {
        try (HikariDataSource pool = TestH2.newStore()) {
            JdbcTransactionManager manager = new JdbcTransactionManager(pool);

            assertThat(JdbcJobStore.builder(pool, manager).build().toString()).matches("H2 2\\.\\d+, prefix delayjob_");
            assertThat(JdbcJobStore.builder(pool, manager)
                            .tablePrefix("billing_")
                            .schema("public")
                            .build()
                            .toString())
                    .matches("H2 2\\.\\d+, prefix billing_, schema public");
        }
    }

    @Test
    void durability_isThatOfTheDatabase(@TempDir Path directory) {
        assertThat(durability(TestH2.inMemory())).isEqualTo(Durability.PROCESS);
        assertThat(durability(TestH2.onFile(directory))).isEqualTo(Durability.DISK);
    }

    private static Durability durability(HikariDataSource database) {
        try (database) {
            return JdbcJobStore.builder(database, new JdbcTransactionManager(database))
                    .build()
                    .capabilities()
                    .durability();
        }
    }

    @Test
    void statementTimeout_mustBePositive() {
        try (HikariDataSource pool = TestH2.inMemory()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                            .statementTimeout(Duration.ZERO))
                    .withMessageContaining("PT0S");
        }
    }

    @Test
    void databaseThatIsAway_isSaidToBe() {
        AbstractDataSource away = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("Connection refused", "08001");
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
        assertThatThrownBy(() -> JdbcJobStore.builder(away, new JdbcTransactionManager(away))
                        .build())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Connection refused")
                .satisfies(error ->
                        assertThat(((StoreException) error).isTransient()).isTrue());
    }
}
