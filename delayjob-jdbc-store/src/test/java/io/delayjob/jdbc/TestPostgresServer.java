package io.delayjob.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A PostgreSQL of its own, which a test may stop as by a crash and start again on the same port, with the same data.
 * Unlike {@link TestPostgres} it is never the server that a contributor named. Not thread-safe.
 */
public final class TestPostgresServer implements AutoCloseable {

    private static final int CONTROL_TIMEOUT_SECONDS = 60;

    private final EmbeddedPostgres server;
    private final Path data;
    private final List<String> control;

    private TestPostgresServer(EmbeddedPostgres server, Path data) throws IOException {
        this.server = server;
        this.data = data;
        this.control = control(data);
    }

    /**
     * A new server with an empty data directory.
     *
     * @param settings as in {@code postgresql.conf}; {@code fsync} is off: commits outlive the server, not the machine
     * @throws IOException where no server can be started: the binaries are missing, or do not run here
     */
    public static TestPostgresServer start(Map<String, String> settings) throws IOException {
        Path data = Files.createTempDirectory("delayjob-postgres-");
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setServerConfig("max_connections", "200")
                // The builder's default is off, with which a crash takes back what was committed.
                .setServerConfig("synchronous_commit", "on");
        settings.forEach(builder::setServerConfig);
        return new TestPostgresServer(builder.start(), data);
    }

    /**
     * {@code pg_ctl} of the server that runs. It refuses to run as root, so there it gets a user namespace of its own.
     */
    private static List<String> control(Path data) throws IOException {
        String options = Files.readString(data.resolve("postmaster.opts"));
        Path binaries = Path.of(options.substring(0, options.indexOf(' '))).getParent();
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(binaries.resolve("pg_ctl").toString(), "-D", data.toString(), "-w"));
        return List.copyOf(command);
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return server.getPort();
    }

    /** The JDBC URL of a database, by way of the server itself or of a {@link TestProxy} before it. */
    public static String url(String host, int port, String database) {
        return "jdbc:postgresql://%s:%d/%s?user=postgres".formatted(host, port, database);
    }

    /** The JDBC URL of one of its databases. */
    public String url(String database) {
        return url(host(), port(), database);
    }

    /** Creates a database, if there is none of this name. */
    public void createDatabase(String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres"));
                Statement statement = connection.createStatement()) {
            if (!statement
                    .executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + name + "'")
                    .next()) {
                statement.execute("CREATE DATABASE " + name);
            }
        }
    }

    /** Executes statements as the superuser, in one session in the database {@code postgres}, each by itself. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres"));
                Statement running = connection.createStatement()) {
            for (String statement : statements) {
                running.execute(statement);
            }
        }
    }

    /** Stops it without ceremony: sessions are killed, nothing is flushed, and the next start recovers from the log. */
    public void stopImmediately() {
        control("stop", "-m", "immediate");
    }

    /**
     * Kills the postmaster, as {@code kill -9} does. Its sessions notice that and end. Returns when they are gone,
     * because a new server does not start before.
     */
    public void kill() {
        try {
            long pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
            ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
            List<ProcessHandle> gone = new ArrayList<>(postmaster.descendants().toList());
            gone.add(postmaster);
            postmaster.destroyForcibly();
            for (ProcessHandle process : gone) {
                process.onExit().get(CONTROL_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (IOException error) {
            throw new UncheckedIOException("The PostgreSQL in " + data + " could not be killed", error);
        } catch (ExecutionException | TimeoutException remaining) {
            throw new IllegalStateException("Sessions of the PostgreSQL in " + data + " did not end", remaining);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }

    /** Starts it again after {@link #stopImmediately()} or {@link #kill()}, and waits until it accepts connections. */
    public void startAgain() {
        // "restart" is the one command that starts with the options of the time before.
        control("restart");
    }

    /** Stops it for good and removes its data. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException error) {
            throw new UncheckedIOException("The PostgreSQL in " + data + " did not stop", error);
        }
    }

    private void control(String... arguments) {
        List<String> command = new ArrayList<>(control);
        command.addAll(List.of(arguments));
        try {
            Path output = data.resolve("control.log");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(output.toFile()))
                    .start();
            if (!process.waitFor(CONTROL_TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroy();
                throw new IllegalStateException("%s failed: %s".formatted(command, Files.readString(output)));
            }
        } catch (IOException error) {
            throw new UncheckedIOException(command + " could not be run", error);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", stopped);
        }
    }
}
