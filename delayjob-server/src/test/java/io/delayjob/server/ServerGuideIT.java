package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide leads a newcomer to a signed call: its commands are typed into three terminals as they stand there. Only
 * the ports are others, and the build has already made the jar that the first command makes.
 */
class ServerGuideIT {

    private static final Pattern BASH = Pattern.compile("(?m)^```bash\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern PYTHON =
            Pattern.compile("(?m)^```python\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    /** For what takes seconds on an idle machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String MVNW = "#!/bin/sh\necho \"$@\" > built-with\n";

    private static final String JAVA = """
            java() { "$JAVA_OF_THE_TEST" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$@"; }
            """;

    private final List<Process> terminals = new ArrayList<>();

    private String guide = "";
    private int serverPort;
    private int receiverPort;

    @TempDir
    private Path directory;

    @BeforeEach
    void read() throws IOException {
        List<String> missing = Stream.of("bash", "curl", "openssl", "python3")
                .filter(program -> !isInstalled(program))
                .toList();
        boolean required = Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_TOOLS"));
        Assumptions.assumeTrue(required || missing.isEmpty(), "The guide needs programs that are missing: " + missing);
        assertThat(missing).as("programs that the guide needs").isEmpty();
        guide = Files.readString(Path.of("../docs/server.md"));
        try (ServerSocket server = new ServerSocket(0);
                ServerSocket receiver = new ServerSocket(0)) {
            serverPort = server.getLocalPort();
            receiverPort = receiver.getLocalPort();
        }
    }

    @AfterEach
    void closeTerminals() throws InterruptedException {
        for (Process terminal : terminals) {
            List<ProcessHandle> started = Stream.concat(terminal.descendants(), Stream.of(terminal.toHandle()))
                    .toList();
            started.forEach(ProcessHandle::destroyForcibly);
            terminal.waitFor();
        }
    }

    @Test
    void commandsOfTheGuide_leadToASignedCall() throws IOException {
        List<String> blocks =
                BASH.matcher(guide).results().map(block -> block.group(1)).toList();
        assertThat(blocks).as("terminals of the guide").hasSize(3);
        Path mvnw = Files.writeString(directory.resolve("mvnw"), MVNW);
        assertThat(mvnw.toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(
                Files.createDirectory(directory.resolve("delayjob-server")).resolve("target"),
                Path.of("target").toAbsolutePath());
        Matcher receiver = PYTHON.matcher(guide);
        assertThat(receiver.find()).isTrue();
        Files.writeString(directory.resolve("billing.py"), receiver.group(1));
        assertThat(receiver.group(1).lines().filter(line -> !line.isBlank()))
                .as("lines of the receiver")
                .hasSizeLessThanOrEqualTo(21);

        Path server = terminal(JAVA + blocks.get(0));
        awaitText(server, "Started DelayJobServer");
        assertThat(directory.resolve("built-with")).hasContent("-q -pl delayjob-server -am package -DskipTests");
        Path calls = terminal(blocks.get(1));
        Path caller = terminal(blocks.get(2));

        String id = awaitText(caller, "\\{\"id\":\"([0-9a-f-]{36})\",\"outcome\":\"CREATED\"")
                .group(1);
        awaitText(calls, Pattern.quote(id) + ":1:\\w+ /remind \\{\"order\":\\s?42}");

        terminals.get(0).descendants().forEach(ProcessHandle::destroy); // as Ctrl+C does
        awaitText(server, "Instance .* stopped in");
        assertThat(Files.readString(server))
                .as("warnings about the file of H2")
                .doesNotContain("WRITE_DELAY", "could not hand back", "could not write the last outcomes");
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Types the lines into a new terminal, and returns the file with all that it shows. */
    private Path terminal(String lines) throws IOException {
        Path shown = Files.createTempFile(directory, "terminal", ".log");
        ProcessBuilder bash = new ProcessBuilder(
                        "bash",
                        "-ec",
                        lines.replace("localhost:8080", "localhost:" + serverPort)
                                .replace("localhost:9000", "localhost:" + receiverPort))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(shown.toFile());
        bash.environment().put("SERVER_PORT", String.valueOf(serverPort));
        bash.environment().put("PORT", String.valueOf(receiverPort));
        bash.environment()
                .put(
                        "JAVA_OF_THE_TEST",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        terminals.add(bash.start());
        return shown;
    }

    private Matcher awaitText(Path shown, String text) {
        Pattern pattern = Pattern.compile(text);
        await(text)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readString(shown)).containsPattern(pattern));
        try {
            Matcher found = pattern.matcher(Files.readString(shown));
            assertThat(found.find()).isTrue();
            return found;
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
