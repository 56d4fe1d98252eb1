package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestPostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The database server goes away, or takes no more writes, and comes back. */
@Timeout(180)
class ServerOutageTest {

    /** The jobs become due over four seconds. So even on a slow machine, some are not due yet when the outage begins. */
    private static final int JOBS = 400;

    private static TestPostgresServer server;

    @BeforeAll
    static void startServer() throws IOException, SQLException {
        server = TestPostgresServer.start(Map.of());
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    private static Scene.Builder scene(String database) throws SQLException {
        server.createDatabase(database);
        HikariDataSource direct = new HikariDataSource();
        direct.setJdbcUrl(server.url(database));
        direct.setMaximumPoolSize(2);
        return Scene.scene(direct);
    }

    @Test
    void serverThatIsRestartedLosesNothing_andJobsFireAgainAtOnce() throws Exception {
        try (Scene scene = scene("restart").start()) {
            scene.schedule(JOBS, Duration.ofMillis(10));
            scene.runs().awaitStarts(30);

            server.stopImmediately();
            scene.awaitTrouble(trouble -> trouble.role().equals("claim"));
            server.startAgain();
            long back = System.nanoTime();

            assertThat(scene.runs().firstAfter(back)).isLessThan(Duration.ofSeconds(10));
            scene.runs().assertEachOf(JOBS, 20);
            scene.awaitHealth();
            assertThat(scene.database.queryForObject(
                            "SELECT count(*) FROM delayjob_history WHERE state = 2", Integer.class))
                    .as("finished")
                    .isEqualTo(JOBS);
        }
    }

    @Test
    void serverThatIsReadOnlyStartsNothing_andJobsFireAgainAtOnce() throws Exception {
        try (Scene scene = scene("standby").start()) {
            scene.schedule(JOBS, Duration.ofMillis(10));
            scene.runs().awaitStarts(30);

            server.execute("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()");
            scene.awaitTrouble(trouble -> trouble.role().equals("heartbeat"));
            // Until each session knows that it is read-only, some claims succeed, and their jobs start.
            awaitFailingClaims(scene, Duration.ofMillis(500));
            scene.awaitFreeSlots();
            int started = scene.runs().starts().size();
            Duration failing = awaitFailingClaims(scene, Duration.ZERO);
            awaitFailingClaims(scene, failing.plusSeconds(1));
            assertThat(scene.runs().starts()).hasSize(started);
            server.execute(
                    "SET default_transaction_read_only = off",
                    "ALTER SYSTEM RESET default_transaction_read_only",
                    "SELECT pg_reload_conf()");
            long back = System.nanoTime();

            assertThat(scene.runs().firstAfter(back)).isLessThan(Duration.ofSeconds(10));
            scene.runs().assertEachOf(JOBS, 20);
            scene.awaitHealth();
        }
    }

    /** Returns how long claims have failed without a success. */
    private static Duration awaitFailingClaims(Scene scene, Duration lasting) throws InterruptedException {
        return scene.awaitTrouble(trouble -> trouble.role().equals("claim")
                        && trouble.lasting().compareTo(lasting) > 0
                        && trouble.error().contains("read-only transaction"))
                .lasting();
    }
}
