package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

/**
 * Whatever an application asks of MySQL's driver: statements prepared by the server and kept, batches in one, and other
 * counts.
 */
@Tag("all-databases")
class MySqlDriverOptionsContractTest extends DatabaseContract {

    @Override
    HikariDataSource newDatabase() {
        HikariDataSource pool = TestMySql.newDatabase();
        pool.setJdbcUrl(pool.getJdbcUrl()
                + "&useServerPrepStmts=true&cachePrepStmts=true&rewriteBatchedStatements=true&useAffectedRows=true");
        return pool;
    }
}
