package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.spring.DelayJobStore;
import io.delayjob.spring.DelayJobStores;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** One application with eight databases of 128 partitions. */
class ManyStoresTest {

    private static final Logger log = LoggerFactory.getLogger(ManyStoresTest.class);

    private static final int STORES = 8;
    private static final int PARTITIONS = 128;

    /** Number of starts of which the median is printed. */
    private static final int STARTS = 5;

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration IDLE = Duration.ofSeconds(20);

    /** Longer than a start takes on a machine that builds something else, too. */
    private static final Duration LONGEST_START = Duration.ofSeconds(30);

    /** A lease of 10 s is renewed every 4 s. The other roles that ask regularly need some 4 transactions a second. */
    private static final double MOST_TRANSACTIONS = PARTITIONS / 4.0 * 1.25 + 8;

    @Test
    void eightStores_leadAllTheirPartitionsAndCostLittleWhileIdle() throws Exception {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.builder().setServerConfig("fsync", "off").start()) {
            List<String> properties = new ArrayList<>(List.of(
                    "spring.datasource.url=" + server.getJdbcUrl("postgres", "postgres"),
                    "spring.datasource.hikari.maximum-pool-size=5",
                    "delayjob.jdbc.initialize-schema=always",
                    "delayjob.partitions=" + PARTITIONS));
            for (int i = 1; i < STORES; i++) {
                execute(server, "CREATE DATABASE db" + i);
                properties.add("delayjob.stores.db%d.url=%s".formatted(i, server.getJdbcUrl("postgres", "db" + i)));
                properties.add("delayjob.stores.db%d.hikari.maximum-pool-size=5".formatted(i));
            }
            // The first start creates the tables, and loads the classes.
            run(properties).close();
            List<String> ofOneStore = properties.stream()
                    .filter(property -> !property.startsWith("delayjob.stores."))
                    .toList();
            List<Duration> startsAlone = new ArrayList<>();
            List<Duration> starts = new ArrayList<>();
            for (int i = 0; i < STARTS; i++) {
                startsAlone.add(startAndClose(ofOneStore));
                starts.add(startAndClose(properties));
            }
            Duration started = median(starts);

            long begin = System.nanoTime();
            try (ConfigurableApplicationContext application = run(properties)) {
                DelayJobStores stores = application.getBean(DelayJobStores.class);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(stores.all()).allSatisfy(ManyStoresTest::leadsAll));
                Duration led = Duration.ofNanos(System.nanoTime() - begin);

                long before = transactions(server);
                long idleSince = System.nanoTime();
                await().pollInterval(IDLE).atMost(IDLE.multipliedBy(3)).until(() -> true);
                double seconds = (System.nanoTime() - idleSince) / 1e9;
                double perStore = (transactions(server) - before) / seconds / STORES;

                log.warn(
                        "{} stores of {} partitions: started after {}, one store alone after {} (medians of {} starts); lead all partitions after {}, {} transactions a second and store while idle.",
                        STORES,
                        PARTITIONS,
                        started,
                        median(startsAlone),
                        STARTS,
                        led,
                        "%.1f".formatted(perStore));
                assertThat(started).isLessThan(LONGEST_START);
                assertThat(perStore).isLessThan(MOST_TRANSACTIONS);
            }
        }
    }

    /** Returns the time until the application is ready. */
    private static Duration startAndClose(List<String> properties) {
        long begin = System.nanoTime();
        try (ConfigurableApplicationContext application = run(properties)) {
            Duration started = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(application.isRunning()).isTrue();
            return started;
        }
    }

    private static Duration median(List<Duration> durations) {
        return durations.stream().sorted().toList().get(durations.size() / 2);
    }

    private static ConfigurableApplicationContext run(List<String> properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(properties.toArray(String[]::new))
                .run();
    }

    private static void leadsAll(DelayJobStore store) {
        assertThat(store.engine().status().led()).as("partitions of %s", store).hasSize(PARTITIONS);
    }

    private static void execute(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long transactions(EmbeddedPostgres server) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet sums =
                        statement.executeQuery("SELECT SUM(xact_commit + xact_rollback) FROM pg_stat_database")) {
            sums.next();
            return sums.getLong(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        /** Without a handler, no queue would have partitions to lead. */
        @DelayedJob("work")
        public void work() {}
    }
}
