package io.delayjob.jdbc.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The worker processes of a test. Closing kills those that are left. */
final class Workers implements AutoCloseable {

    /** Far above what anything here takes: who waits so long waits for something that does not come. */
    static final Duration PATIENCE = Duration.ofSeconds(45);

    private final String jdbcUrl;
    private final Path directory;
    private final List<Worker> started = new ArrayList<>();

    /** @param directory where ledgers and logs are kept */
    Workers(String jdbcUrl, Path directory) {
        this.jdbcUrl = jdbcUrl;
        this.directory = directory;
    }

    Worker start(String name) throws IOException {
        Worker worker = new Worker(this, name, jdbcUrl, directory);
        started.add(worker);
        return worker;
    }

    List<Worker> all() {
        return started;
    }

    /** Waits until this holds; looked at whenever one of the processes has said something. */
    synchronized void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError("Waited in vain for this: %s. %s".formatted(what, started));
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException stopped) {
            throw new AssertionError("interrupted", stopped);
        }
    }

    @Override
    public void close() {
        started.forEach(Worker::kill);
    }
}
