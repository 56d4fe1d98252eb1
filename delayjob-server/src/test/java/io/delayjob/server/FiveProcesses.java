package io.delayjob.server;

import io.delayjob.NamedJobs;
import io.delayjob.client.DelayJobClientCustomizer;
import io.delayjob.jdbc.TestPostgresServer;
import io.delayjob.jdbc.TestProxy;
import io.delayjob.job.JobId;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Two servers on one PostgreSQL, a {@link Callee}, and this process, which submits. The connections of each server to
 * the database and to the callee lead through proxies. Servers and callee can be killed, and connections cut.
 */
final class FiveProcesses implements AutoCloseable {

    static final int SERVERS = 2;

    private static final String SECRET = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=";
    private static final String DATABASE = "jobs";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    /** The client of one server, as the starter configures it. No {@code @Configuration}, which a server would find. */
    @ImportAutoConfiguration({HttpClientAutoConfiguration.class, RestClientAutoConfiguration.class})
    static class Submitter {

        @Bean
        DelayJobClientCustomizer token(@Value("${token}") String token) {
            return client -> client.defaultHeader("Authorization", "Bearer " + token);
        }
    }

    private final Path directory;
    private final TestPostgresServer postgres;
    private final TestProxy[] toDatabase = new TestProxy[SERVERS];
    private final TestProxy[] toCallee = new TestProxy[SERVERS];
    private final int[] ports = new int[SERVERS];
    private final Process[] servers = new Process[SERVERS];
    private final List<ConfigurableApplicationContext> submitters = new ArrayList<>();
    private final int calleePort = freePort();
    private final HttpClient http = HttpClient.newHttpClient();
    private final CountDownLatch never = new CountDownLatch(1);
    private final String token;
    private Process callee;

    FiveProcesses(Path directory) throws Exception {
        this.directory = directory;
        this.token = AccessToken.write(publicKey(), "delayjob:submit delayjob:read");
        this.postgres = TestPostgresServer.start(Map.of("fsync", "on"));
        // A process that is left behind would run for ever.
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
        postgres.createDatabase(DATABASE);
        callee = startCallee();
        for (int server = 0; server < SERVERS; server++) {
            toDatabase[server] = TestProxy.to(postgres.host(), postgres.port());
            toCallee[server] = TestProxy.to("127.0.0.1", calleePort);
            ports[server] = freePort();
            servers[server] = startServer(server);
        }
        for (int server = 0; server < SERVERS; server++) {
            awaitServer(server);
            submitters.add(submitter(server));
        }
    }

    private Path publicKey() {
        return directory.resolve("public-key.pem");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private Process startServer(int server) throws IOException {
        String url = TestPostgresServer.url(toDatabase[server].host(), toDatabase[server].port(), DATABASE)
                + "&sslmode=disable&connectTimeout=2&socketTimeout=5";
        Map<String, String> properties = new HashMap<>(Map.of(
                "server.port",
                String.valueOf(ports[server]),
                "spring.datasource.url",
                url,
                "spring.security.oauth2.resourceserver.jwt.public-key-location",
                "file:" + publicKey(),
                "delayjob.targets.effects.http.url",
                "http://127.0.0.1:" + toCallee[server].port(),
                "delayjob.targets.effects.http.insecure",
                "true",
                "delayjob.targets.effects.http.secret",
                SECRET,
                "delayjob.targets.effects.timeout",
                "5s"));
        properties.putAll(Map.of(
                "delayjob.targets.effects.retry.max-retries", "1000",
                "delayjob.targets.effects.retry.delay", "200ms",
                "delayjob.targets.effects.retry.max-delay", "1s",
                "delayjob.liveness", "3s",
                "delayjob.heartbeat", "500ms",
                "delayjob.lease.duration", "3s",
                "delayjob.sweep.interval", "300ms",
                "delayjob.sweep.adopt-after", "1s",
                "spring.datasource.hikari.connection-timeout", "2000",
                "spring.datasource.hikari.initialization-fail-timeout", "60000"));
        return start(
                "server-" + server,
                Stream.concat(
                        Stream.of(DelayJobServer.class.getName()),
                        properties.entrySet().stream().map(each -> "--" + each.getKey() + "=" + each.getValue())));
    }

    private Process startCallee() throws IOException {
        return start(
                "callee",
                Stream.of(
                        Callee.class.getName(),
                        String.valueOf(calleePort),
                        SECRET,
                        effects().toString()));
    }

    private Process start(String name, Stream<String> arguments) throws IOException {
        boolean server = name.startsWith("server");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(server)));
        arguments.forEach(command::add);
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(name + ".log").toFile()))
                .start();
    }

    /** The server would find the configurations of tests. */
    private static String classPath(boolean server) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !server || !entry.endsWith("test-classes"))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Waits until the server is ready. */
    void awaitServer(int server) throws InterruptedException {
        URI health = URI.create("http://localhost:%d/actuator/health/readiness".formatted(ports[server]));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (status(health) != 200) {
            if (System.nanoTime() - deadline > 0 || !servers[server].isAlive()) {
                throw new IllegalStateException(
                        "Server %d does not start. Its log is in %s".formatted(server, directory));
            }
            rest(BETWEEN_LOOKS);
        }
    }

    private int status(URI uri) throws InterruptedException {
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException notYet) {
            return 0;
        }
    }

    private ConfigurableApplicationContext submitter(int server) {
        return new SpringApplicationBuilder(Submitter.class, io.delayjob.client.DelayJobClientAutoConfiguration.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "delayjob.client.url=http://localhost:%d/delayjob/v1".formatted(ports[server]),
                        "delayjob.client.insecure=true",
                        "token=" + token,
                        "delayjob.client.timeout=5s",
                        "delayjob.client.retries=1",
                        "logging.level.root=warn",
                        "spring.main.banner-mode=off")
                .run();
    }

    /** Returns the client of this server. */
    NamedJobs jobs(int server) {
        return submitters.get(server).getBean(NamedJobs.class);
    }

    /** Returns the file of the callee. */
    Path effects() {
        return directory.resolve("effects.txt").toAbsolutePath();
    }

    void killServer(int server) throws IOException, InterruptedException {
        servers[server].destroyForcibly().waitFor();
        servers[server] = startServer(server);
    }

    void killCallee(Duration down) throws IOException, InterruptedException {
        callee.destroyForcibly().waitFor();
        rest(down);
        callee = startCallee();
    }

    void cutFromDatabase(int server, Duration down) throws InterruptedException {
        cut(toDatabase[server], down);
    }

    void cutFromCallee(int server, Duration down) throws InterruptedException {
        cut(toCallee[server], down);
    }

    private void cut(TestProxy proxy, Duration down) throws InterruptedException {
        proxy.refuse();
        proxy.cut();
        rest(down);
        proxy.accept();
    }

    /** Returns the number of jobs that have not ended. */
    long unfinished() throws SQLException {
        return query("SELECT count(*) FROM delayjob_job", row -> row.getLong(1)).get(0);
    }

    /** Returns the states of the jobs that have ended, as they are stored. */
    Map<JobId, Integer> ended() throws SQLException {
        Map<JobId, Integer> states = new HashMap<>();
        query(
                "SELECT id, state FROM delayjob_history",
                row -> states.put(new JobId(row.getObject(1, UUID.class)), row.getInt(2)));
        return states;
    }

    private interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> query(String sql, Reading<T> reading) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.url(DATABASE));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<T> read = new ArrayList<>();
            while (rows.next()) {
                read.add(reading.read(rows));
            }
            return read;
        }
    }

    void rest(Duration length) throws InterruptedException {
        never.await(length.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void kill() {
        Stream.concat(Stream.of(servers), Stream.of(callee))
                .filter(process -> process != null)
                .forEach(Process::destroyForcibly);
    }

    @Override
    public void close() {
        submitters.forEach(ConfigurableApplicationContext::close);
        kill();
        Stream.concat(Stream.of(toDatabase), Stream.of(toCallee)).forEach(TestProxy::close);
        postgres.close();
    }
}
