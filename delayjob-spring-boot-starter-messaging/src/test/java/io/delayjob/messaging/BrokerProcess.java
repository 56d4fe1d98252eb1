package io.delayjob.messaging;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A broker in a process of its own, which a test kills and starts again. Used by one thread. */
final class BrokerProcess implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;

    /** Stands for the end of what a process has printed. */
    private static final String END = "(the process has ended)";

    private final ProcessBuilder command;
    private final String started;
    private Process process;
    private BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private BrokerProcess(ProcessBuilder command, String started) {
        this.command = command.redirectErrorStream(true);
        this.started = started;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /**
     * Starts a broker, and waits until it accepts connections.
     *
     * @param started part of the line that the broker prints when it accepts connections
     */
    static BrokerProcess start(ProcessBuilder command, String started) throws Exception {
        BrokerProcess broker = new BrokerProcess(command, started);
        broker.startAgain();
        return broker;
    }

    /** Starts a broker like {@link #start}. It is the {@code main} of a class on the class path of this process. */
    static BrokerProcess startJava(Class<?> main, String started, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // Without it, Artemis cannot read its journal again on Java 25: Netty frees only its own buffers there.
                "-Dio.netty.noUnsafe=false",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return start(new ProcessBuilder(command), started);
    }

    /** Called by the {@code main} of a broker. It ends with the process that has started it, however that ends. */
    static void endWithParent() throws IOException {
        while (System.in.read() >= 0) {
            // The parent writes nothing.
            continue;
        }
        Runtime.getRuntime().halt(0);
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    /** Sends SIGTERM. Returns when the broker is gone. */
    void stop() throws InterruptedException {
        // Process.destroy also closes the input, at whose end RabbitMQ ends at once.
        process.toHandle().destroy();
        process.waitFor();
    }

    /** Sends SIGKILL. Returns when the broker is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts the broker with the data that it had, and waits until it accepts connections. */
    void startAgain() throws Exception {
        process = command.start();
        lines = new LinkedBlockingQueue<>();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        BlockingQueue<String> ofThisProcess = lines;
        Thread listener = new Thread(() -> listen(output, ofThisProcess), "broker-listener");
        listener.setDaemon(true);
        listener.start();
        awaitLine(line -> line.contains(started));
    }

    private static void listen(BufferedReader output, BlockingQueue<String> lines) {
        try (output) {
            String line = output.readLine();
            while (line != null) {
                lines.add(line);
                line = output.readLine();
            }
        } catch (IOException killed) {
            lines.add(killed.toString());
        } finally {
            lines.add(END);
        }
    }

    /** Waits for a line that the broker prints. The lines before it are skipped. */
    void awaitLine(Predicate<String> wanted) throws InterruptedException {
        StringBuilder said = new StringBuilder();
        String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        while (line != null && !line.equals(END) && !wanted.test(line)) {
            said.append(line).append(System.lineSeparator());
            line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        if (line == null || line.equals(END)) {
            throw new IllegalStateException("The broker %s has not printed what the test waits for. It said:%n%s%s"
                    .formatted(command.command(), said, line == null ? "" : line));
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
