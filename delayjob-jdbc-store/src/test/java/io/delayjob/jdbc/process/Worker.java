package io.delayjob.jdbc.process;

import io.delayjob.jdbc.process.LedgerLine.Event;
import io.delayjob.job.JobId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A {@link WorkerMain} process, seen from the test that started it. What it says is kept under the lock of its {@link Workers}. */
final class Worker {

    private final Workers workers;
    private final String name;
    private final Path ledger;
    private final Path log;
    private final Process process;
    private final PrintStream commands;
    private final Thread listener = new Thread(this::listen);
    private final Map<Event, Set<JobId>> heard = new EnumMap<>(Event.class);
    private boolean ready;
    private int led;

    Worker(Workers workers, String name, String jdbcUrl, Path directory) throws IOException {
        this.workers = workers;
        this.name = name;
        this.ledger = directory.resolve(name + ".ledger");
        this.log = directory.resolve(name + ".log");
        this.process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkerMain.class.getName(),
                        name,
                        jdbcUrl,
                        ledger.toString())
                .redirectError(log.toFile())
                .start();
        this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        listener.start();
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null) {
                hear(line);
                line = lines.readLine();
            }
        } catch (IOException brokenOff) {
            // It was killed within a line; its ledger tells the rest.
        }
    }

    private void hear(String line) {
        synchronized (workers) {
            if (line.equals("READY")) {
                ready = true;
            } else if (line.startsWith("STATUS ")) {
                led = Integer.parseInt(line.substring("STATUS ".length()));
            } else {
                LedgerLine event = LedgerLine.parse(line);
                heard.computeIfAbsent(event.event(), e -> new HashSet<>()).add(event.job());
            }
            workers.notifyAll();
        }
    }

    /** Partitions it leads, as it last said. */
    int led() {
        synchronized (workers) {
            return led;
        }
    }

    /** The jobs of which it has told this. */
    Set<JobId> heard(Event event) {
        synchronized (workers) {
            return Set.copyOf(heard.getOrDefault(event, Set.of()));
        }
    }

    /** Whether its JVM is up; its engine is not yet. */
    boolean isReady() {
        synchronized (workers) {
            return ready;
        }
    }

    /** Starts its engine. */
    void begin() {
        commands.println("begin");
    }

    /** Lets the handlers go on that hold still. */
    void release() {
        commands.println("release");
    }

    /** SIGKILL: it has no time for a last word. Returns when it is gone. */
    void kill() {
        process.toHandle().destroyForcibly();
        awaitExit();
    }

    /** SIGTERM: it stops in good order; returns at once. */
    void terminate() {
        // Through the handle: the process itself would close the streams as well.
        process.toHandle().destroy();
    }

    /** Waits until it is gone and all it has said was heard. */
    void awaitExit() {
        try {
            if (!process.waitFor(Workers.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("Worker %s does not end.".formatted(this));
            }
            listener.join();
        } catch (InterruptedException stopped) {
            throw new AssertionError("interrupted", stopped);
        }
    }

    /** What it wrote into its ledger; a last line that was cut off by its death is left out. */
    List<LedgerLine> ledger() {
        String written = read(ledger);
        return written.substring(0, written.lastIndexOf('\n') + 1)
                .lines()
                .map(LedgerLine::parse)
                .toList();
    }

    /** What it logged. */
    String log() {
        return read(log);
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    @Override
    public String toString() {
        Map<Event, Integer> counts = new EnumMap<>(Event.class);
        heard.forEach((event, jobs) -> counts.put(event, jobs.size()));
        String log = log();
        return "%s: leads %d, %s, log:%n%s"
                .formatted(name, led, counts, log.substring(Math.max(log.length() - 5_000, 0)));
    }
}
