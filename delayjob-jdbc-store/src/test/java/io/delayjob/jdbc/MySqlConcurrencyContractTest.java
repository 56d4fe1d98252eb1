package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;

/**
 * With the isolation level that the documentation recommends; {@link RepeatableReadContract} is about the other one.
 */
@Tag("all-databases")
class MySqlConcurrencyContractTest extends ConcurrencyContract {

    @Override
    HikariDataSource newStore() {
        HikariDataSource pool = TestMySql.newDatabase();
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        TestSchema.apply(pool);
        return pool;
    }
}
