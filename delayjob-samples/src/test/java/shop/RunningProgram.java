package shop;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A program in a process of its own, which can be killed, and what it has written. */
final class RunningProgram implements AutoCloseable {

    /** For what takes seconds on an idle machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What a JVM is told that has not long to live. */
    static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Process process;
    private final Path log;

    private RunningProgram(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts it in that directory, where its log lies, too. */
    static RunningProgram start(Path directory, ProcessBuilder program) throws IOException {
        Path log = Files.createTempFile(directory, "program", ".log");
        Process process = program.directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new RunningProgram(process, log);
    }

    /** The first time that it writes something like this; waits until it does. */
    MatchResult awaitText(Pattern text) {
        await("'%s' in the log".formatted(text)).atMost(PATIENCE).until(() -> {
            boolean alive = process.isAlive();
            boolean written = text.matcher(log()).find();
            if (!alive && !written) {
                throw new AssertionError("The program ended before it wrote '%s':\n%s".formatted(text, log()));
            }
            return written;
        });
        return text.matcher(log()).results().findFirst().orElseThrow();
    }

    /** Ends it, and what it has started, without a chance to tidy up, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList()
                .forEach(ProcessHandle::destroyForcibly);
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("The program survived being killed.");
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
