package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The application needs its connections itself. */
@Timeout(180)
class PoolOutageTest {

    /** For longer than the engine trusts its last heartbeat: it must go on beating, on the connection that it keeps. */
    @Test
    void poolThatIsExhaustedIsWaitedFor_whileTheHeartBeatsOn() throws Exception {
        // The jobs become due over four seconds. So even on a slow machine, some are not due yet when the outage
        // begins.
        int jobs = 400;
        // Longer than a pause of this machine.
        Duration liveness = Duration.ofSeconds(3);
        try (Scene scene = Scene.scene()
                .connections(4)
                .settings(settings -> settings.liveness(liveness).heartbeat(Duration.ofMillis(100)))
                .start()) {
            scene.schedule(jobs, Duration.ofMillis(10));
            scene.runs().awaitStarts(50);

            List<Connection> taken = takeAllBut(1, scene);
            int before = beats(scene);
            scene.awaitTroubles(troubles -> troubles.stream()
                            .anyMatch(trouble -> trouble.role().equals("claim")
                                    && trouble.lasting().compareTo(liveness.plusSeconds(1)) > 0
                                    && trouble.error().contains("waits for a connection"))
                    && troubles.stream().noneMatch(trouble -> trouble.role().equals("heartbeat")));
            int beats = beats(scene);
            for (Connection connection : taken) {
                connection.close();
            }
            long back = System.nanoTime();

            assertThat(beats).as("heartbeats").isGreaterThan(before + 2);
            assertThat(scene.runs().firstAfter(back)).isLessThan(Duration.ofSeconds(10));
            scene.runs().assertEachOf(jobs, 0);
            scene.awaitHealth();
            assertThat(scene.engine.status().number())
                    .as("never given up for silent")
                    .isEqualTo(1);
        }
    }

    private static int beats(Scene scene) {
        return scene.database.queryForObject("SELECT beats FROM delayjob_instance", Integer.class);
    }

    static List<Connection> takeAllBut(int rest, Scene scene) throws Exception {
        int count = scene.pool.getMaximumPoolSize() - rest;
        ExecutorService application = Executors.newFixedThreadPool(count);
        try {
            List<CompletableFuture<Connection>> taking = IntStream.range(0, count)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return scene.pool.getConnection();
                                } catch (SQLException error) {
                                    throw new IllegalStateException(error);
                                }
                            },
                            application))
                    .toList();
            List<Connection> taken = new ArrayList<>();
            for (CompletableFuture<Connection> connection : taking) {
                taken.add(connection.get(Runs.PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            return taken;
        } finally {
            application.shutdown();
        }
    }

    /** One connection beside the heartbeat's serves all roles, and none is held while handlers run. */
    @Test
    void noConnectionIsHeldWhileAHandlerRuns() throws Exception {
        int jobs = 16;
        CountDownLatch release = new CountDownLatch(1);
        try (Scene scene = Scene.scene()
                .connections(2)
                .body(number -> {
                    try {
                        release.await(Runs.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                })
                .start()) {
            scene.awaitHealth();
            scene.schedule(jobs, Duration.ZERO);
            scene.runs().awaitStarts(jobs);

            // The application has the other one for itself: nobody but the heartbeat holds on to a connection.
            List<Connection> taken = takeAllBut(1, scene);
            assertThat(scene.pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
            assertThat(scene.engine.status().attempts()).isEqualTo(jobs);
            for (Connection connection : taken) {
                connection.close();
            }
            release.countDown();

            scene.runs().assertEachOf(jobs, 0);
        }
    }
}
