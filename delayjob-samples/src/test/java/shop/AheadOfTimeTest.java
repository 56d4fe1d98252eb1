package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * The shop runs from what {@code spring-boot:process-aot} generates for it. The plugin calls the same processor, and
 * compiles what that has written.
 */
@Execution(ExecutionMode.CONCURRENT) // processes of its own
class AheadOfTimeTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path directory;

    @Tag("full")
    @Test
    void shop_runsFromGeneratedCode() throws Exception {
        Path sources = Files.createDirectory(directory.resolve("sources"));
        Path resources = Files.createDirectory(directory.resolve("resources"));
        Path classes = Files.createDirectory(directory.resolve("classes"));
        process(sources, resources, classes);
        compile(sources, classes);
        Path shop = Files.createDirectory(directory.resolve("shop"));
        String classPath = String.join(File.pathSeparator, classes.toString(), resources.toString(), CLASS_PATH);
        List<String> java = List.of("-Dspring.aot.enabled=true", "-cp", classPath);

        try (RunningShop running = RunningShop.start(shop, java, "--shop.payment-window=1s")) {
            ShopClient client = running.enter();

            Order cancelled = client.awaitEnd(client.place());

            assertThat(cancelled.status()).isEqualTo(Order.Status.CANCELLED);
            client.get("/actuator/delayjobs/jobs?name=cancel-unpaid-order")
                    .expectStatus()
                    .isOk()
                    .expectBody()
                    .jsonPath("$.jobs[0].name")
                    .isEqualTo("cancel-unpaid-order");
        }
    }

    private void process(Path sources, Path resources, Path classes) throws Exception {
        Path log = directory.resolve("process-aot.log");
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        command.addAll(RunningProgram.QUICK_START);
        command.addAll(List.of(
                "-cp",
                CLASS_PATH,
                SpringApplicationAotProcessor.class.getName(),
                ShopApplication.class.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "shop",
                "shop"));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(ShopClient.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    }

    private static void compile(Path sources, Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none", "-nowarn", "-cp", classes + File.pathSeparator + CLASS_PATH, "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(arguments::add);
        }
        int exit = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(exit).isZero();
    }
}
