package io.delayjob.messaging;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * A RabbitMQ in a process of its own, with directories of its own, on the loopback interface. Its messages survive
 * {@code kill -9}. Debian has it in the package rabbitmq-server; {@code DELAYJOB_TEST_RABBITMQ_SERVER} names another
 * start script. Where it is absent, tests are skipped; with {@code DELAYJOB_TEST_REQUIRE_RABBITMQ=true} they fail.
 */
final class RabbitMqServer implements AutoCloseable {

    private static final String DEBIANS = "/usr/lib/rabbitmq/bin/rabbitmq-server";

    /** Part of the line that the broker prints when it accepts connections. */
    private static final String STARTED = "completed with";

    private final int port = BrokerProcess.freePort();

    /** Names the broker's node to its own start script. Without it, the script would leave one behind. */
    private final Process names;

    private final BrokerProcess broker;

    private RabbitMqServer(String script, Path directory) throws Exception {
        int namesPort = BrokerProcess.freePort();
        Path empty = Files.createFile(directory.resolve("empty"));
        Map<String, String> environment = Map.ofEntries(
                Map.entry("HOME", directory.toString()),
                Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
                Map.entry("ERL_EPMD_PORT", String.valueOf(namesPort)),
                // The broker is then the process that was started, and it ends when this JVM does.
                Map.entry("RABBITMQ_ALLOW_INPUT", "true"),
                Map.entry("RABBITMQ_CONF_ENV_FILE", empty.toString()),
                Map.entry(
                        "RABBITMQ_CONFIG_FILE",
                        directory.resolve("rabbitmq.conf").toString()),
                Map.entry("RABBITMQ_DIST_PORT", String.valueOf(BrokerProcess.freePort())),
                Map.entry(
                        "RABBITMQ_ENABLED_PLUGINS_FILE",
                        directory.resolve("plugins").toString()),
                Map.entry("RABBITMQ_LOG_BASE", directory.toString()),
                Map.entry("RABBITMQ_MNESIA_BASE", directory.resolve("data").toString()),
                Map.entry("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
                Map.entry("RABBITMQ_NODE_PORT", String.valueOf(port)),
                Map.entry("RABBITMQ_NODENAME", "delayjob-test-" + port + "@localhost"));
        Files.createFile(directory.resolve("rabbitmq.conf"));
        names = new ProcessBuilder("epmd", "-address", "127.0.0.1", "-port", String.valueOf(namesPort))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("epmd.txt").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(names::destroyForcibly));
        ProcessBuilder command = new ProcessBuilder(script);
        command.environment().putAll(environment);
        broker = BrokerProcess.start(command, STARTED);
    }

    /** Starts a broker that keeps its data in this directory. */
    static RabbitMqServer start(Path directory) throws Exception {
        String script = System.getenv().getOrDefault("DELAYJOB_TEST_RABBITMQ_SERVER", DEBIANS);
        if (!new File(script).canExecute()) {
            String word =
                    "%s is not there: install Debian's rabbitmq-server, or name another in DELAYJOB_TEST_RABBITMQ_SERVER"
                            .formatted(script);
            Assumptions.assumeTrue(Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_RABBITMQ")), word);
            throw new IllegalStateException(word);
        }
        return new RabbitMqServer(script, directory);
    }

    String url() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    /** Ends the broker in peace. Returns when the broker is gone. */
    void stop() throws InterruptedException {
        broker.stop();
    }

    /** Sends SIGKILL. Returns when the broker is gone. */
    void kill() throws InterruptedException {
        broker.kill();
    }

    /** Starts it with the data that it had, and waits until it accepts connections. */
    void startAgain() throws Exception {
        broker.startAgain();
    }

    @Override
    public void close() {
        broker.close();
        names.destroyForcibly();
    }
}
