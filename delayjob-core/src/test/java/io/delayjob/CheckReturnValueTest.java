package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a compiler with Error Prone refuses calls that begin to schedule a job and give no time. */
class CheckReturnValueTest {

    private static final List<String> PACKAGES_OF_THE_COMPILER =
            List.of("api", "file", "main", "model", "parser", "processing", "tree", "util", "code", "comp");

    @TempDir
    private Path directory;

    private static final List<String> NEVER_SAYING_WHEN = List.of(
            "jobs.schedule(\"report\")",
            "jobs.schedule(\"report\").with(Map.of(\"id\", 1))",
            "jobs.schedule(\"report\").with(List.of(1))",
            "jobs.schedule(\"report\").key(1)",
            "jobs.schedule(\"report\").key(1, REPLACE).queue(\"night\")",
            "jobs.schedule(\"report\").retry(RetryPolicy.defaults())",
            "jobs.schedule(\"report\").then(\"mail\")",
            "jobs.schedule(Reports::make).then(Reports::send).with(1L)",
            "jobs.schedule(Reports::make).thenAlways(Reports::move).with(1L)",
            "jobs.schedule(Reports::make)",
            "jobs.schedule(Reports::log)",
            "jobs.schedule(Reports::send)",
            "jobs.schedule(Reports::send).with(1L)",
            "jobs.schedule(Reports::send).withEach(List.of(1L))",
            "jobs.schedule(Reports::send).withEach(List.of(1L)).key(id -> id)",
            "jobs.schedule(Reports::send).withEach(List.of(1L)).key(id -> id, REPLACE)",
            "jobs.schedule(Reports::send).withEach(List.of(1L)).queue(\"night\")",
            "jobs.schedule(Reports::send).withEach(List.of(1L)).retry(RetryPolicy.defaults())",
            "jobs.schedule(Reports::send).withEach(List.of(1L)).spreadOver(Duration.ofHours(1))",
            "jobs.schedule(Reports::archive)",
            "jobs.schedule(Reports::archive).with(1L)",
            "jobs.schedule(Reports::move)",
            "jobs.schedule(Reports::move).with(1L, 2L)",
            "jobs.schedule(Reports::copy)",
            "jobs.schedule(Reports::copy).with(1L, 2L)");

    private static final Pattern COMPLAINT = Pattern.compile("Reports\\.java:(\\d+): error: \\[CheckReturnValue]");

    @Test
    void callWithoutATime_isRefused() throws Exception {
        String complaints = complaints(NEVER_SAYING_WHEN.toArray(String[]::new));

        List<String> lines = Files.readAllLines(directory.resolve("Reports.java"));
        assertThat(COMPLAINT.matcher(complaints).results())
                .as(complaints)
                .extracting(complaint -> lines.get(Integer.parseInt(complaint.group(1)) - 1))
                .extracting(line -> line.strip().replaceFirst(";$", ""))
                .containsExactlyElementsOf(NEVER_SAYING_WHEN);
    }

    @Test
    void callWithATime_mayIgnoreTheResult() throws Exception {
        assertThat(complaints(
                        "jobs.schedule(\"report\").now()",
                        "jobs.schedule(\"report\").key(1).after(Duration.ofHours(1))",
                        "jobs.schedule(\"report\").with(Map.of(\"id\", 1)).at(Instant.EPOCH)",
                        "jobs.schedule(Reports::make).repeat(Repeat.every(Duration.ofHours(1)))",
                        "jobs.schedule(Reports::send).withEach(List.of(1L)).now()",
                        "jobs.schedule(Reports::send).withEach(List.of(1L)).after(Duration.ofHours(1))",
                        "jobs.schedule(Reports::send).withEach(List.of(1L)).at(Instant.EPOCH)",
                        "jobs.schedule(Reports::make).then(Reports::archive).now()",
                        "jobs.schedule(Reports::make).then(Reports::copy).with(1L).startAfter(Duration.ofHours(1))",
                        "jobs.cancel(\"report\", 1)",
                        "jobs.pause(Reports::make)"))
                .doesNotContain("error:");
        assertThat(directory.resolve("Reports.class")).exists();
    }

    private String complaints(String... statements) throws IOException, InterruptedException {
        Path source = directory.resolve("Reports.java");
        Files.writeString(source, """
                import static io.delayjob.job.OnExisting.REPLACE;

                import io.delayjob.DelayJobOperations;
                import io.delayjob.handler.JobContext;
                import io.delayjob.schedule.*;
                import java.time.*;
                import java.util.*;

                class Reports {
                    void make() {}
                    void log(JobContext job) {}
                    void send(long id) {}
                    void archive(long id, JobContext job) {}
                    void move(long from, long to) {}
                    void copy(long from, long to, JobContext job) {}

                    static void run(DelayJobOperations jobs) {
                        %s;
                    }
                }
                """.formatted(String.join(";\n        ", statements)));
        Path output = directory.resolve("output");
        Process compiler = new ProcessBuilder(command(source))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(compiler.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return Files.readString(output);
    }

    private List<String> command(Path source) {
        String classPath = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        PACKAGES_OF_THE_COMPILER.stream()
                .map(name -> "=jdk.compiler/com.sun.tools.javac." + name + "=ALL-UNNAMED")
                .flatMap(name -> Stream.of("-J--add-exports" + name, "-J--add-opens" + name))
                .forEach(command::add);
        command.addAll(List.of(
                "-XDcompilePolicy=simple",
                "-XDaddTypeAnnotationsToSymbol=true",
                "--should-stop=ifError=FLOW",
                "-processorpath",
                classPath,
                "-Xplugin:ErrorProne -XepDisableAllChecks -Xep:CheckReturnValue:ERROR",
                "-cp",
                classPath,
                "-d",
                directory.toString(),
                source.toString()));
        return command;
    }
}
