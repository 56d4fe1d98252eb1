package io.delayjob.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The requests of the guide, typed into a shell as they stand there. Only address, user and password are others. */
class RestGuideTest {

    private static final Pattern BASH = Pattern.compile("^```bash\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    /** The guide's command for a new UUID is not installed everywhere. */
    private static final String UUIDGEN = "uuidgen() { cat /proc/sys/kernel/random/uuid; }\n";

    private static final ApiServer server = ApiServer.start(
            "delayjob.rest.exposure.include=cancel-unpaid-order,load-import,check-import,load-row,import-done");

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void requestsOfTheGuide_areAnsweredAsItSays() throws Exception {
        List<String> missing = Stream.of("bash", "curl")
                .filter(program -> !isInstalled(program))
                .toList();
        boolean required = Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_TOOLS"));
        Assumptions.assumeTrue(required || missing.isEmpty(), "The guide needs programs that are missing: " + missing);
        assertThat(missing).as("programs that the guide needs").isEmpty();
        List<String> blocks = BASH.matcher(Files.readString(Path.of("../docs/rest.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(4);

        assertThat(typed(blocks.get(0)))
                .containsPattern("\\{\"id\":\"[0-9a-f-]{36}\",\"outcome\":\"CREATED\",\"state\":\"DELAYED\"}")
                .contains("\"key\":\"42\"")
                .endsWith("{\"result\":\"CANCELLED\"}");
        assertThat(typed(blocks.get(1))).containsPattern("\"followers\":\\[\"[0-9a-f-]{36}\"]");
        assertThat(typed(blocks.get(2)))
                .containsPattern("\\{\"id\":\"[0-9a-f-]{36}\"}")
                .containsPattern("\"name\":\"import-42\",\"state\":\"CLOSED\",\"begun\":2,\"finished\":0,\"failed\":0,"
                        + "\"cancelled\":0,\"createdAt\":\"[^\"]+\"}$");
        assertThat(typed(blocks.get(3)))
                .contains("\"group\":\"import-42\"")
                .endsWith("{\"state\":\"CANCELLED\",\"changed\":2,\"skipped\":0}");
    }

    /** Returns what the commands print, except the progress of the transfers. */
    private static String typed(String commands) throws IOException, InterruptedException {
        String api = server.url() + "/delayjob/v1";
        String lines = UUIDGEN + "api=" + api + "\n"
                + commands.replaceFirst("api=.*\n", "").replace("-u shop:", "-s -u all:");
        ProcessBuilder bash = new ProcessBuilder("bash", "-ec", lines);
        bash.environment().put("SHOP_PASSWORD", ApiServer.SECRET);
        bash.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process shell = bash.start();
        String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(printed).isZero();
        return printed;
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
