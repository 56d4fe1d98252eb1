package io.delayjob.jdbc.lease;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.jdbc.TestH2;
import io.delayjob.store.StoreException;
import io.delayjob.time.StoreClock;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;

class LockRowsTest {

    /** The log of an outage tells such exceptions from faults. */
    @Test
    void refusedWhileThePoolIsDry_saysThatTheStoreDoesNotAnswer() {
        TransactionOperations dry = new TransactionOperations() {
            @Override
            public <T> T execute(TransactionCallback<T> action) {
                throw new CannotCreateTransactionException(
                        "no connection", new SQLTransientConnectionException("no connection is left"));
            }
        };
        LockRows rows = new LockRows(
                new NamedParameterJdbcTemplate(TestH2.inMemory()), dry, "UPDATE shedlock", StoreClock.ofThisMachine());

        assertThatThrownBy(() -> rows.refused("delayjob-0123abcd-default-p0", Duration.ofSeconds(10)))
                .asInstanceOf(InstanceOfAssertFactories.type(StoreException.class))
                .matches(StoreException::isTransient);
    }
}
