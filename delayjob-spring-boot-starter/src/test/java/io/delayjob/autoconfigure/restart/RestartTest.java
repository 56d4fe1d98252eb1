package io.delayjob.autoconfigure.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A restart by devtools leaves nothing of the old classes behind: no handler, no reference that was read, no thread.
 */
class RestartTest {

    @TempDir
    private Path directory;

    /** In a process of its own, whose soft references do not outlive a collection: Spring's caches are such. */
    @Test
    void restart_letsGoOfTheOldClasses() throws Exception {
        run(
                "old class loaders that are held",
                Restarts.class,
                "jdbc:h2:mem:restarts",
                "-XX:+UseSerialGC",
                "-XX:SoftRefLRUPolicyMSPerMB=0",
                "-Dspring.devtools.restart.enabled=false");
    }

    /** A database on a file: devtools shut those in memory down. */
    @Test
    void restartByDevtools_goesOnWithTheNewClasses() throws Exception {
        String url = "jdbc:h2:file:" + directory.resolve("restarts") + ";WRITE_DELAY=0";
        run(
                "failures",
                DevtoolsApplication.class,
                "--spring.datasource.url=" + url,
                "-Dspring.devtools.livereload.enabled=false",
                "-Dspring.main.web-application-type=none",
                "-Dspring.main.banner-mode=off",
                "-Dspring.jmx.enabled=false",
                "-Ddelayjob.jdbc.initialize-schema=always",
                "-Dlogging.level.root=warn");
    }

    private void run(String exitValue, Class<?> program, String argument, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.add("-Xmx256m");
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName(), argument));
        Path log = directory.resolve("restarts.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();

        boolean ended = process.waitFor(3, TimeUnit.MINUTES);
        process.destroyForcibly();

        assertThat(ended)
                .as("ended in time; the log says:\n%s", Files.readString(log))
                .isTrue();
        assertThat(process.exitValue())
                .as("%s; the log says:\n%s", exitValue, Files.readString(log))
                .isZero();
    }
}
