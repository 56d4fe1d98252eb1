package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.transaction.annotation.Isolation;

class H2GivenIdTransactionContractTest extends GivenIdTransactionContract {

    @Override
    HikariDataSource newStore() {
        return TestH2.newStore();
    }

    /** H2 repeats a statement that meets a row of an open transaction. */
    @Override
    int waitingTransactions() {
        return jdbc.queryForObject("""
                SELECT COUNT(*) FROM information_schema.sessions
                WHERE session_id <> SESSION_ID() AND executing_statement LIKE '%INSERT INTO delayjob_job%'
                """, Integer.class);
    }

    @Override
    boolean refusesNewerRows(Isolation level) {
        return false;
    }
}
