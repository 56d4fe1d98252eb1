package io.delayjob.proofs.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Controls a {@link WorkerMain} process from outside. Thread-safe; only one command is sent at a time. */
final class WorkerProcess {

    /** Maximum time for a command; every command normally takes much less time. */
    static final Duration PATIENCE = Duration.ofSeconds(180);

    private static final int LOG_TAIL = 3_000;

    private final WorkerOrders orders;
    private final Path log;
    private final Process process;
    private final PrintStream commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Thread listener = new Thread(this::listen, "worker-listener");

    private WorkerProcess(WorkerOrders orders, Path log, Process process) {
        this.orders = orders;
        this.log = log;
        this.process = process;
        this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        listener.setDaemon(true);
        listener.start();
    }

    static WorkerProcess start(WorkerOrders orders) {
        return start(orders, WorkerMain.class);
    }

    /**
     * @param main main class of the process; obeys the same commands as {@link WorkerMain}, and accepts {@code orders}
     *     as arguments
     */
    static WorkerProcess start(WorkerOrders orders, Class<?> main) {
        Path log = orders.ledger().resolveSibling(orders.name() + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(orders.toArguments());
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(log.toFile()).start();
            return new WorkerProcess(orders, log, process);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null) {
                answers.add(line);
                line = lines.readLine();
            }
        } catch (IOException killed) {
            // The process has ended. Its ledger shows what it did.
            return;
        }
    }

    String name() {
        return orders.name();
    }

    Path ledger() {
        return orders.ledger();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** @return the count in the answer; 0 if the process ended or the caller was interrupted */
    synchronized int command(String command) {
        commands.println(command);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (process.isAlive() || !answers.isEmpty()) {
                String answer = answers.poll(100, TimeUnit.MILLISECONDS);
                if (answer != null) {
                    return Integer.parseInt(answer.substring(answer.indexOf(' ') + 1));
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("%s has not answered '%s'. %s".formatted(name(), command, this));
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    /** Returns when the process has ended. */
    void kill() {
        process.toHandle().destroyForcibly();
        awaitExit();
    }

    /** Returns at once. */
    void terminate() {
        // The process object would also close the streams.
        process.toHandle().destroy();
    }

    /** @return whether there was a process to stop */
    boolean pause() {
        return signal("STOP");
    }

    /** @return whether there was a process to continue */
    boolean resume() {
        return signal("CONT");
    }

    private boolean signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .redirectErrorStream(true)
                    .start();
            return kill.waitFor() == 0 && process.isAlive();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void awaitExit() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("%s does not end. %s".formatted(name(), this));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@code null} while the process lives. */
    @Nullable
    Integer exitCode() {
        return process.isAlive() ? null : process.exitValue();
    }

    String log() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    @Override
    public String toString() {
        String written = log();
        return "%s, its log:%n%s".formatted(name(), written.substring(Math.max(written.length() - LOG_TAIL, 0)));
    }
}
