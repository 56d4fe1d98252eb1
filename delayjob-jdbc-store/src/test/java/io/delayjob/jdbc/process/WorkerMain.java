package io.delayjob.jdbc.process;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.EngineSettings;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobContext;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A process that works on jobs, with an engine of default settings. {@link Worker} starts it and talks to it by lines:
 *
 * <pre>
 *   in:   begin                          starts the engine
 *         release                        lets the handlers go on that hold still
 *   out:  READY                          when it waits for the first command
 *         STATUS &lt;partitions led&gt;        whenever a lease was acquired or has ended
 *         START ..., END ..., DONE ...   as {@link LedgerLine} writes them
 * </pre>
 *
 * What handlers did stands in the ledger as well, a file that outlives a process that is killed. SIGTERM stops the engine in
 * good order; so does the end of the input, lest a worker outlive its test.
 */
final class WorkerMain {

    private final PrintStream out;
    private final PrintStream ledger;
    private final CountDownLatch released = new CountDownLatch(1);
    private final TestEngine engine;

    private WorkerMain(String name, String jdbcUrl, Path ledger) throws IOException {
        this.out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        this.ledger = new PrintStream(
                Files.newOutputStream(ledger, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                true,
                StandardCharsets.UTF_8);
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        this.engine = new TestEngine(
                pool,
                EngineSettings.defaults(name + "#" + UUID.randomUUID()),
                new Reporter(),
                Handler.named("note").calls((arguments, job) -> {
                    write(LedgerLine.Event.START, job);
                    // Long enough for whoever has the row in memory as well to come and claim it.
                    released.await(80, TimeUnit.MILLISECONDS);
                    write(LedgerLine.Event.END, job);
                    return null;
                }),
                Handler.named("hold").calls((arguments, job) -> {
                    write(LedgerLine.Event.START, job);
                    if (job.failures() == 0) {
                        released.await();
                    }
                    write(LedgerLine.Event.END, job);
                    return null;
                }));
    }

    /** @param arguments name, JDBC URL, ledger */
    public static void main(String[] arguments) throws IOException {
        WorkerMain worker = new WorkerMain(arguments[0], arguments[1], Path.of(arguments[2]));
        Runtime.getRuntime().addShutdownHook(new Thread(worker.engine::close));
        worker.obey(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private void obey(BufferedReader in) throws IOException {
        out.println("READY");
        String command = in.readLine();
        while (command != null) {
            switch (command) {
                case "begin" -> engine.start();
                case "release" -> released.countDown();
                default -> throw new IllegalArgumentException(command);
            }
            command = in.readLine();
        }
        System.exit(0);
    }

    private synchronized void write(LedgerLine.Event event, JobContext job) {
        LedgerLine line = LedgerLine.of(event, job);
        ledger.println(line);
        if (ledger.checkError()) {
            throw new UncheckedIOException(new IOException("The ledger cannot be written."));
        }
        out.println(line);
    }

    private final class Reporter implements JobListener {
        @Override
        public void leaseAcquired(Partition partition) {
            report();
        }

        @Override
        public void leaseEnded(Partition partition, String reason) {
            report();
        }

        private void report() {
            out.println("STATUS " + engine.status().led().size());
        }

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            out.println(LedgerLine.done(job));
        }
    }
}
