package io.delayjob.jdbc.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestH2;
import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

class JdbcLeasesTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String NAME = "delayjob-default-p0";

    private final EngineClock clock = StoreClock.ofThisMachine();
    private HikariDataSource pool;
    private LeaseProvider mine;
    private LeaseProvider yours;

    @BeforeEach
    void makeDatabase() {
        pool = TestH2.newStore();
        mine = leases("host-1");
        yours = leases("host-2");
    }

    @AfterEach
    void closeDatabase() {
        pool.close();
    }

    private LeaseProvider leases(String incarnation) {
        return JdbcLeases.inDatabase(pool, new JdbcTransactionManager(pool), "h2", incarnation, clock);
    }

    /** As if so much time had passed: the lease ends now. */
    private void expire() {
        new JdbcTemplate(pool).update("UPDATE shedlock SET lock_until = locked_at");
    }

    @Test
    void lease_isHeldByOne() {
        assertThat(mine.acquire(NAME, MINUTE)).isPresent();

        assertThat(yours.acquire(NAME, MINUTE)).isEmpty();
        assertThat(new JdbcTemplate(pool).queryForObject("SELECT locked_by FROM shedlock", String.class))
                .isEqualTo("host-1");
    }

    @Test
    void lease_isOfItsNameOnly() {
        mine.acquire(NAME, MINUTE);

        assertThat(yours.acquire("delayjob-default-p1", MINUTE)).isPresent();
    }

    @Test
    void extend_answersTheHandleToUseFromNowOn() {
        Lease lease = mine.acquire(NAME, MINUTE).orElseThrow();

        Lease extended = lease.extend(MINUTE).orElseThrow();

        assertThat(extended.extend(MINUTE)).isPresent();
        assertThat(yours.acquire(NAME, MINUTE)).isEmpty();
    }

    @Test
    void extend_ofAnExpiredLeaseSaysThatItIsLost() {
        Lease lease = mine.acquire(NAME, MINUTE).orElseThrow();
        expire();

        assertThat(lease.extend(MINUTE)).isEmpty();
        assertThat(mine.acquire(NAME, MINUTE)).as("taken anew").isPresent();
    }

    @Test
    void expiredLease_goesToWhoAsks() {
        mine.acquire(NAME, MINUTE);
        expire();

        assertThat(yours.acquire(NAME, MINUTE)).isPresent();
    }

    @Test
    void release_letsOthersHaveItAtOnce() {
        mine.acquire(NAME, MINUTE).orElseThrow().release();

        assertThat(yours.acquire(NAME, MINUTE)).isPresent();
    }

    @Test
    void databaseUnderAnotherName_grantsLeasesInItsDialect() {
        DataSource elsewhere = new DelegatingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                return answering(
                        Connection.class,
                        super.getConnection(),
                        "getMetaData",
                        metaData -> answering(
                                DatabaseMetaData.class,
                                (DatabaseMetaData) metaData,
                                "getDatabaseProductName",
                                name -> "Elsewhere DB"));
            }
        };
        LeaseProvider leases =
                JdbcLeases.inDatabase(elsewhere, new JdbcTransactionManager(elsewhere), "h2", "host-3", clock);

        assertThat(leases.acquire(NAME, MINUTE)).isPresent();
        assertThat(yours.acquire(NAME, MINUTE)).isEmpty();
    }

    private static <T> T answering(Class<T> type, T target, String method, UnaryOperator<Object> change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    try {
                        Object answer = called.invoke(target, arguments);
                        return called.getName().equals(method) ? change.apply(answer) : answer;
                    } catch (InvocationTargetException error) {
                        throw error.getCause();
                    }
                }));
    }

    @Test
    void databaseThatIsAway_throws() {
        Lease lease = mine.acquire(NAME, MINUTE).orElseThrow();
        pool.close();

        assertThatThrownBy(() -> lease.extend(MINUTE)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> yours.acquire(NAME, MINUTE)).isInstanceOf(RuntimeException.class);
    }
}
