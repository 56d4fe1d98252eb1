package io.delayjob.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A Sentinel that watches a master, and lets one of its replicas take its place. Ends with the JVM at the latest. */
public final class TestRedisSentinel implements AutoCloseable {

    /** The name of the master. */
    public static final String MASTER = "jobs";

    private static final String READY = "+monitor master";

    private final int port;
    private final Path directory;
    private final Process process;

    private TestRedisSentinel(int port, Path directory, Process process) {
        this.port = port;
        this.directory = directory;
        this.process = process;
    }

    /** @param downAfter time of silence after which a master is given up */
    public static TestRedisSentinel watch(TestRedisServer master, Duration downAfter) {
        try {
            int port = TestRedisServer.freePort();
            Path directory = Files.createTempDirectory("delayjob-sentinel-");
            // Sentinel writes its findings into this file.
            Path settings = Files.write(
                    directory.resolve("sentinel.conf"),
                    List.of(
                            "port " + port,
                            "bind 127.0.0.1",
                            "dir " + directory,
                            "sentinel monitor %s 127.0.0.1 %d 1".formatted(MASTER, master.port()),
                            "sentinel down-after-milliseconds %s %d".formatted(MASTER, downAfter.toMillis()),
                            "sentinel failover-timeout %s 5000".formatted(MASTER)));
            Process process = new ProcessBuilder(TestRedisServer.binary().toString(), settings.toString(), "--sentinel")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            awaitReady(process);
            return new TestRedisSentinel(port, directory, process);
        } catch (IOException error) {
            throw new UncheckedIOException("No Sentinel could be started.", error);
        }
    }

    private static void awaitReady(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        while (line != null && !line.contains(READY)) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException("The Sentinel has ended.");
        }
        TestRedisServer.drain(output);
    }

    public int port() {
        return port;
    }

    /** Returns the address of the present master, by way of this Sentinel. */
    public RedisURI uri() {
        return RedisURI.Builder.sentinel("127.0.0.1", port, MASTER).build();
    }

    /** Waits until it knows so many replicas, one of which can take over. */
    public void awaitReplicas(int count) {
        RedisClient client = RedisClient.create();
        try (StatefulRedisSentinelConnection<String, String> connection = client.connectSentinel(uri())) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> connection.sync().replicas(MASTER).size() >= count);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try (var files = Files.walk(directory)) {
            process.waitFor();
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
