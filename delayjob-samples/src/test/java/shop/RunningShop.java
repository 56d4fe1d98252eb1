package shop;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A shop in a process of its own, which can be killed. Its data lie in its working directory. */
final class RunningShop implements AutoCloseable {

    private static final Pattern OPEN = Pattern.compile("The shop is open: http://localhost:(\\d+)");

    private final Process process;
    private final Path log;

    private RunningShop(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static RunningShop start(Path directory, String... arguments) throws IOException {
        return start(directory, List.of("-cp", System.getProperty("java.class.path")), arguments);
    }

    /** @param java what the JVM is told, the class path above all */
    static RunningShop start(Path directory, List<String> java, String... arguments) throws IOException {
        Path log = Files.createTempFile(directory, "shop", ".log");
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        command.addAll(java);
        command.addAll(List.of(ShopApplication.class.getName(), "--server.port=0"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new RunningShop(process, log);
    }

    /** Waits until it is open. */
    ShopClient enter() {
        return new ShopClient(port());
    }

    /** Where it is open; waits until it is. */
    int port() {
        await("the shop to open").atMost(ShopClient.PATIENCE).until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError("The shop ended before it opened:\n" + log());
            }
            return OPEN.matcher(log()).find();
        });
        MatchResult open = OPEN.matcher(log()).results().findFirst().orElseThrow();
        return Integer.parseInt(open.group(1));
    }

    /** Ends it without a chance to tidy up, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(ShopClient.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("The shop survived being killed.");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
