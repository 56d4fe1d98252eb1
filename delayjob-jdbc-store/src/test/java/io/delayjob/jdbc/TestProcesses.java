package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Processes that work on a server until they are killed. Closing it kills all. */
public final class TestProcesses implements AutoCloseable {

    private final Class<?> main;
    private final String url;
    private final Path logs;
    private final List<Process> processes = new ArrayList<>();

    /**
     * @param main the class to start, with the URL and a name as its arguments
     * @param url address of the server
     * @param logs a directory for what the processes print
     */
    public TestProcesses(Class<?> main, String url, Path logs) {
        this.main = main;
        this.url = url;
        this.logs = logs;
    }

    /** Starts the next process. Their names are {@code worker-0}, {@code worker-1} and so on. */
    public Process start() {
        String name = "worker-" + processes.size();
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            main.getName(),
                            url,
                            name)
                    .redirectErrorStream(true)
                    .redirectOutput(logs.resolve(name).toFile())
                    .start();
            processes.add(process);
            return process;
        } catch (IOException notStarted) {
            throw new IllegalStateException(notStarted);
        }
    }

    /** Waits for an event in a process, which only the server shows. */
    public static void await(BooleanSupplier event) {
        await(Duration.ofSeconds(120), event);
    }

    /** Waits for an event that may take longer. */
    public static void await(Duration atMost, BooleanSupplier event) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!event.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the event comes in time").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
