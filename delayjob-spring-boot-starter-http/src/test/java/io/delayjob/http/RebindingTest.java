package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A filter of addresses, and a name that points to another address as soon as the filter has allowed the first one. */
@EnabledIf("io.delayjob.http.ClientOfATargetTest#hasAddressFilter")
class RebindingTest {

    @TempDir
    private Path directory;

    @Test
    void nameThatPointsElsewhereAfterTheCheck_isNotCalledThere() throws Exception {
        assertThat(outcome()).isEqualTo("FAILED, 0 calls");
    }

    /** So the guide asks to leave the cache on. */
    @Test
    void withoutTheJvmsCacheOfNames_itIsCalledThere() throws Exception {
        assertThat(outcome("-Dsun.net.inetaddr.ttl=0")).isEqualTo("FINISHED, 1 calls");
    }

    /** Returns what {@link RebindingMain} prints beside its log. */
    private String outcome(String... options) throws Exception {
        Path hosts = directory.resolve("hosts");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djdk.net.hosts.file=" + hosts,
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(options));
        command.addAll(List.of(RebindingMain.class.getName(), hosts.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return printed.lines()
                    .filter(line -> line.endsWith(" calls"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(printed));
        } finally {
            process.destroyForcibly();
        }
    }
}
