package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.lease.JdbcLeases;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.StoreClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A driver without network timeouts behind a pool that takes a refusal of them for a broken connection. */
@Isolated("it reads what the whole JVM logs")
class NoNetworkTimeoutTest {

    /** As HSQLDB's driver has it: the timeout can be asked for, and not be set. */
    private static Connection poor(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                NoNetworkTimeoutTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("setNetworkTimeout")) {
                        throw new SQLFeatureNotSupportedException("feature not supported", "0A000");
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    @Test
    void everythingWorksOnTheSameConnections_andItIsSaidOnceWhatIsLost() throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (HikariDataSource database = TestH2.newStore();
                HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(new DelegatingDataSource(database) {
                @Override
                public Connection getConnection() throws SQLException {
                    return poor(super.getConnection());
                }
            });
            pool.setMaximumPoolSize(2);
            JdbcTransactionManager manager = new JdbcTransactionManager(pool);
            try (JdbcJobStore store = JdbcJobStore.builder(pool, manager).build()) {
                JobMaker jobs = new JobMaker(store);
                jobs.submit(jobs.job());
                assertThat(store.instances().register("instance-1", Set.of(), Set.of()))
                        .isPositive();
                LeaseProvider leases =
                        JdbcLeases.inDatabase(pool, manager, "h2", "instance-1", new StoreClock(store::clockMicros));
                assertThat(leases.acquire("lease-1", Duration.ofSeconds(10))).isPresent();
                store.submit(List.of(jobs.job()), jobs.sink);
            }
        } finally {
            System.setErr(before);
        }
        assertThat(log.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("WARN")
                .contains("The JDBC driver 'H2 JDBC Driver' has no network timeouts")
                .contains("socket")
                .doesNotContain("marked as broken", "\tat ");
    }
}
