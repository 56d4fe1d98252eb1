package io.delayjob.jdbc.lease;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestPostgres;

class PostgreSqlLeaseClockContractTest extends LeaseClockContract {

    @Override
    HikariDataSource newStore() {
        return TestPostgres.newStore();
    }
}
