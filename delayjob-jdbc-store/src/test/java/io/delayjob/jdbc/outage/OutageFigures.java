package io.delayjob.jdbc.outage;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.jdbc.TestPostgresServer;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How soon jobs fire again after an outage, at default settings of engine, pool and driver. Not part of the build,
 * because it takes two minutes; {@code docs/reliability.md} has the command.
 */
@Timeout(400)
class OutageFigures {

    private static final Duration APART = Duration.ofMillis(20);
    private static final int JOBS = 3_000;

    @FunctionalInterface
    private interface Outage {
        /** Causes the outage, and returns when it is over. */
        void happen(Scene scene) throws Exception;
    }

    private TestPostgresServer server;
    private int databases;

    @Test
    void firingAgain() throws Exception {
        try (TestPostgresServer started = TestPostgresServer.start(Map.of())) {
            server = started;
            figure("immediate restart", scene -> restart(Duration.ZERO));
            figure("restart after 10 s", scene -> restart(Duration.ofSeconds(10)));
            figure("read-only for 10 s", scene -> readOnly(Duration.ofSeconds(10)));
            figure("connections cut", scene -> scene.proxy.cut());
            figure("everything held back for 10 s", scene -> {
                scene.proxy.stall();
                pass(Duration.ofSeconds(10));
                scene.proxy.resume();
            });
            figure("pool exhausted for 20 s", scene -> {
                List<Connection> taken = PoolOutageTest.takeAllBut(1, scene);
                pass(Duration.ofSeconds(20));
                for (Connection connection : taken) {
                    connection.close();
                }
            });
            figure("connections silent for ever", scene -> {
                scene.proxy.strand();
                // Answers that had arrived before may start a job or two.
                pass(Duration.ofMillis(500));
            });
        }
    }

    private void restart(Duration down) throws InterruptedException {
        server.stopImmediately();
        pass(down);
        server.startAgain();
    }

    private void readOnly(Duration lasting) throws Exception {
        server.execute("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()");
        pass(lasting);
        server.execute(
                "SET default_transaction_read_only = off",
                "ALTER SYSTEM RESET default_transaction_read_only",
                "SELECT pg_reload_conf()");
    }

    private static void pass(Duration time) throws InterruptedException {
        new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void figure(String name, Outage outage) throws Exception {
        String database = "outage_" + ++databases;
        server.createDatabase(database);
        HikariDataSource direct = new HikariDataSource();
        direct.setJdbcUrl(server.url(database));
        direct.setMaximumPoolSize(2);
        try (Scene scene = Scene.scene(direct).start()) {
            scene.awaitHealth();
            scene.schedule(JOBS, APART);
            scene.runs().awaitStarts(50);
            scene.awaitPool();
            outage.happen(scene);
            long over = System.nanoTime();
            Duration again = scene.runs().firstAfter(over);
            scene.awaitHealth();
            long healthy = Duration.ofNanos(System.nanoTime() - over).toMillis();
            System.out.printf(
                    "%-32s fires again after %6d ms, all roles work after %6d ms%n", name, again.toMillis(), healthy);
        }
    }
}
