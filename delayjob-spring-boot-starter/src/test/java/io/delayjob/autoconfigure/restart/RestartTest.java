package io.delayjob.autoconfigure.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restart by devtools leaves nothing of the old classes behind: no handler, no reference that was read, no thread. */
class RestartTest {

    @TempDir
    private Path directory;

    /** In a process of its own, whose soft references do not outlive a collection: Spring's caches are such. */
    @Test
    void restart_letsGoOfTheOldClasses() throws Exception {
        Path log = directory.resolve("restarts.log");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Restarts.class.getName(),
                        "jdbc:h2:mem:restarts")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();

        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();

        assertThat(process.exitValue())
                .as("old class loaders that are held; the log says:\n%s", Files.readString(log))
                .isZero();
    }
}
