package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The README leads a stranger from an {@link EmptyProject} to a job that runs, is tested and observed. */
@Execution(ExecutionMode.CONCURRENT) // processes of its own
class StrangersPathTest {

    static final Page PATH = Page.of("README.md").section("From an empty project");

    @TempDir
    private Path directory;

    @Test
    void readme_leadsToAJobThatRunsIsTestedAndObserved() throws Exception {
        EmptyProject project = new EmptyProject(directory, EmptyProject.H2);
        project.follow(PATH);

        try (RunningProgram maven = project.testAndRun("--server.port=0")) {
            maven.awaitText(Pattern.compile("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"));
            int port = Integer.parseInt(maven.awaitText(EmptyProject.OPEN).group(1));
            List<CurlSession.Command> session = CurlSession.of(PATH);
            assertThat(session).hasSize(3);
            assertThat(session.get(0).send(port, "").statusCode()).isEqualTo(200);
            maven.awaitText(Pattern.compile("Hello, Ann"));
            await().atMost(ShopClient.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(session.get(1).send(port, "").body()).contains("\"state\":\"FINISHED\""));
            assertThat(session.get(2).send(port, "").body()).contains("\"name\":\"delayjob.lateness\"", "\"COUNT\"");
        }
    }

    @Test
    void readme_takesThirtyLines() {
        long lines = Stream.concat(PATH.blocks("java").stream(), PATH.blocks("properties").stream())
                .flatMap(block -> block.code().lines())
                .filter(line -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
                .count();

        assertThat(lines).isLessThanOrEqualTo(30);
    }
}
