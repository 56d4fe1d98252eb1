package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.transaction.annotation.Isolation;

class PostgreSqlGivenIdTransactionContractTest extends GivenIdTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }

    @Override
    int waitingTransactions() {
        return jdbc.queryForObject("""
                SELECT COUNT(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
                WHERE NOT granted AND locktype = 'transactionid' AND datname = current_database()
                """, Integer.class);
    }

    @Override
    boolean refusesNewerRows(Isolation level) {
        return level != Isolation.READ_COMMITTED;
    }
}
