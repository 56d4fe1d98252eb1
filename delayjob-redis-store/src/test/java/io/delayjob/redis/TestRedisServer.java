package io.delayjob.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * A Redis of its own, from a jar. {@value #BINARY} names another binary, such as that of Valkey. It keeps its data in a
 * temporary directory, and nothing on disk unless the options say so. Ends with the JVM at the latest. Not thread-safe.
 */
public final class TestRedisServer implements AutoCloseable {

    private static final String BINARY = "DELAYJOB_TEST_REDIS";
    private static final String BINARY_WITH_TLS = "DELAYJOB_TEST_REDIS_TLS";
    private static final String EMBEDDED = "/redis-server-7.0.15-";
    /** The binary for servers that need a feature which the binary in the jar lacks. */
    private static final Path INSTALLED = Path.of("/usr/bin/redis-server");

    private static final String READY = "Ready to accept connections";
    private static final int STOP_TIMEOUT_SECONDS = 20;

    /** The port of a cluster's bus is higher by this number. */
    private static final int BUS_OFFSET = 10_000;

    private static final int HIGHEST_PORT = 65_535 - BUS_OFFSET;

    private static Path binary;

    private final int port;
    private final Path directory;
    private final List<String> options;
    private final Path program;
    private Process process;

    private TestRedisServer(int port, Path program, List<String> options) throws IOException {
        this.port = port;
        this.program = program;
        this.directory = Files.createTempDirectory("delayjob-redis-");
        this.options = options;
    }

    /**
     * Starts a server and waits until it accepts connections.
     *
     * @param options as on the command line, such as {@code "--appendonly", "yes"}; later ones win
     * @throws TestAbortedException where no server can be started, unless {@code DELAYJOB_TEST_REQUIRE_DATABASES=true}
     */
    public static TestRedisServer start(String... options) {
        try {
            return start(freePort(), binary(), Arrays.asList(options));
        } catch (IOException unfit) {
            throw skipping("Redis cannot be started here: " + unfit, unfit);
        }
    }

    /** Returns the exception that skips the test; throws another one if the test must not be skipped. */
    private static TestAbortedException skipping(String reason, IOException unfit) {
        if (Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_DATABASES"))) {
            throw new UncheckedIOException(reason, unfit);
        }
        return new TestAbortedException(reason, unfit);
    }

    private static TestRedisServer start(int port, Path program, List<String> options) throws IOException {
        TestRedisServer server = new TestRedisServer(port, program, options);
        server.launch();
        return server;
    }

    /**
     * Starts a server that speaks only TLS. The binary in the jar has no TLS, so {@value #BINARY_WITH_TLS} or {@value
     * #BINARY} names the binary, or an installed one is used.
     *
     * @param certificate its certificate, which it also trusts
     * @param key its private key
     * @throws TestAbortedException where there is no such server, unless {@code DELAYJOB_TEST_REQUIRE_DATABASES=true}
     */
    public static TestRedisServer startWithTls(Path certificate, Path key) {
        Path program = Stream.of(BINARY_WITH_TLS, BINARY)
                .map(System::getenv)
                .filter(Objects::nonNull)
                .map(Path::of)
                .findFirst()
                .orElse(INSTALLED);
        try {
            if (!Files.isExecutable(program)) {
                throw new FileNotFoundException(
                        "%s may name a Redis with TLS, such as Debian's".formatted(BINARY_WITH_TLS));
            }
            int port = freePort();
            return start(
                    port,
                    program,
                    List.of(
                            "--port",
                            "0",
                            "--tls-port",
                            Integer.toString(port),
                            "--tls-cert-file",
                            certificate.toString(),
                            "--tls-key-file",
                            key.toString(),
                            "--tls-ca-cert-file",
                            certificate.toString(),
                            "--tls-auth-clients",
                            "no"));
        } catch (IOException withoutTls) {
            throw skipping("No Redis with TLS is at %s: %s".formatted(program, withoutTls), withoutTls);
        }
    }

    /**
     * Starts a replica and waits until it has all data of its master, and its master counts it for {@code WAIT}. The
     * master counts it only after its first confirmation, which may come a second after the link is up.
     *
     * @param host the host of its master
     * @param port the port of its master
     */
    public static TestRedisServer startReplica(String host, int port, String... options) {
        List<String> all = new ArrayList<>(List.of("--replicaof", host, Integer.toString(port)));
        all.addAll(Arrays.asList(options));
        TestRedisServer replica = start(all.toArray(String[]::new));
        awaitReplication(replica.uri(), "master_link_status:up");
        awaitReplication(RedisURI.create(host, port), "port=%d,state=online".formatted(replica.port()));
        return replica;
    }

    private static void awaitReplication(RedisURI server, String state) {
        RedisClient client = RedisClient.create(server);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> connection.sync().info("replication").contains(state));
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    /** Returns a port that is free, as is the port that a cluster's bus would have. */
    static int freePort() throws IOException {
        while (true) {
            try (ServerSocket socket = listen(0)) {
                int port = socket.getLocalPort();
                if (port <= HIGHEST_PORT && isFree(port + BUS_OFFSET)) {
                    return port;
                }
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = listen(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    private void launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                // Its first replica need not wait 5 s for others that might come.
                "--repl-diskless-sync-delay",
                "0",
                "--dir",
                directory.toString()));
        command.addAll(options);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        awaitReady();
    }

    private void awaitReady() throws IOException {
        StringBuilder said = new StringBuilder();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append('\n');
            if (line.contains(READY)) {
                drain(output);
                return;
            }
        }
        throw new IOException("The server has ended: " + said);
    }

    /** Reads what the server says, so that it never waits for a reader. */
    static void drain(BufferedReader output) {
        Thread reader = new Thread(() -> {
            try {
                while (output.readLine() != null) {
                    // Nobody needs these lines.
                }
            } catch (IOException ended) {
                // The server is gone.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    static synchronized Path binary() throws IOException {
        if (binary == null) {
            String named = System.getenv(BINARY);
            binary = named == null ? extracted() : Path.of(named);
        }
        return binary;
    }

    private static Path extracted() throws IOException {
        String resource = EMBEDDED + platform();
        try (InputStream embedded = TestRedisServer.class.getResourceAsStream(resource)) {
            if (embedded == null) {
                throw new IOException("There is no %s; %s may name a binary.".formatted(resource, BINARY));
            }
            Path file = Files.createTempFile("delayjob-redis-server-", "");
            file.toFile().deleteOnExit();
            copy(embedded, file);
            if (!file.toFile().setExecutable(true)) {
                throw new IOException(file + " cannot be made executable.");
            }
            return file;
        }
    }

    /**
     * Another process writes the file. If this one did, a process that another test starts meanwhile would inherit the
     * open file, and Linux would refuse to run it ("text file busy").
     */
    private static void copy(InputStream program, Path file) throws IOException {
        Process writer = new ProcessBuilder("sh", "-c", "cat > \"$0\"", file.toString()).start();
        try (OutputStream input = writer.getOutputStream()) {
            program.transferTo(input);
        }
        if (writer.onExit().join().exitValue() != 0) {
            throw new IOException("%s cannot be written.".formatted(file));
        }
    }

    private static String platform() {
        boolean isMac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
        boolean isArm = System.getProperty("os.arch").equals("aarch64");
        return (isMac ? "darwin-" : "linux-") + (isArm ? "arm64" : "amd64");
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public RedisURI uri() {
        return RedisURI.create("127.0.0.1", port);
    }

    /** Waits until a replica has received everything that this server has written so far. */
    public void awaitReceivedBy(TestRedisServer replica) {
        RedisClient client = RedisClient.create();
        try (StatefulRedisConnection<String, String> from = client.connect(uri());
                StatefulRedisConnection<String, String> to = client.connect(replica.uri())) {
            long written = replicationOffset(from, "master_repl_offset");
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> replicationOffset(to, "slave_repl_offset") >= written);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    private static long replicationOffset(StatefulRedisConnection<String, String> connection, String field) {
        return connection
                .sync()
                .info("replication")
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(field.length() + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    /** Kills the server as a crash does. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Starts it again after {@link #kill()}, on the same port and with the data that it has written. */
    public void startAgain() {
        try {
            launch();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Redis on port %d did not end.".formatted(port));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** Ends the server and removes its data. */
    @Override
    public void close() {
        kill();
        try (var files = Files.walk(directory)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
