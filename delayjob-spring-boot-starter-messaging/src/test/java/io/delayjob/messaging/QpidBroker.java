package io.delayjob.messaging;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;

/** A Qpid broker in this process, which speaks RabbitMQ's protocol. It forgets everything when it stops. */
public final class QpidBroker implements AutoCloseable {

    private final int port = freePort();
    private SystemLauncher launcher;

    public QpidBroker() throws Exception {
        start();
    }

    void start() throws Exception {
        launcher = new SystemLauncher();
        launcher.startup(Map.of(
                "type",
                "Memory",
                "initialConfigurationLocation",
                QpidBroker.class.getResource("/qpid.json").toExternalForm(),
                "startupLoggedToSystemOut",
                false,
                "context",
                Map.of("qpid.amqp_port", String.valueOf(port))));
    }

    void stop() {
        launcher.shutdown();
    }

    public String url() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new java.io.UncheckedIOException(none);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
