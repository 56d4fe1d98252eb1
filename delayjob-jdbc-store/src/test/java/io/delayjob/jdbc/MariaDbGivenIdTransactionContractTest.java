package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;
import org.springframework.transaction.annotation.Isolation;

@Tag("all-databases")
class MariaDbGivenIdTransactionContractTest extends GivenIdTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestMariaDb.newStore();
    }

    @Override
    int waitingTransactions() {
        return jdbc.queryForObject(
                "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'", (row, number) -> row.getInt(2));
    }

    @Override
    boolean refusesNewerRows(Isolation level) {
        return false;
    }
}
