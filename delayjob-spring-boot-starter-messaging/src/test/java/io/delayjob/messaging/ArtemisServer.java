package io.delayjob.messaging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.delayjob.jdbc.TestProxy;
import java.nio.file.Path;
import java.util.Set;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.slf4j.LoggerFactory;

/** An Artemis broker in a process of its own, whose messages survive {@code kill -9}. */
final class ArtemisServer implements AutoCloseable {

    private static final String STARTED = "Artemis accepts connections.";
    private static final String CONFIRMS = "confirms ";

    private final int port = BrokerProcess.freePort();
    private final TestProxy proxy = TestProxy.to("127.0.0.1", port);
    private final BrokerProcess process;

    ArtemisServer(Path directory) throws Exception {
        process = BrokerProcess.startJava(ArtemisServer.class, STARTED, directory, url());
    }

    /** Returns where it listens. */
    String url() {
        return "tcp://127.0.0.1:" + port;
    }

    /**
     * Returns where a proxy before it listens. A client waits some seconds for an answer, instead of half a minute: a
     * call that begins while the connection breaks is not woken.
     */
    String proxyUrl() {
        return "tcp://%s:%d?callTimeout=3000".formatted(proxy.host(), proxy.port());
    }

    BrokerKills kills() {
        return new BrokerKills(process, proxy);
    }

    /** Waits until it has stored one of these messages, and would confirm it. */
    void awaitStored(Set<String> ids) throws InterruptedException {
        process.awaitLine(line -> line.startsWith(CONFIRMS) && ids.contains(line.substring(CONFIRMS.length())));
    }

    @Override
    public void close() {
        proxy.close();
        process.close();
    }

    /** The process: a broker that keeps its messages in a directory, and listens at a URL. */
    public static void main(String[] arguments) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        ConfigurationImpl configuration = ArtemisBroker.configuration(Path.of(arguments[0]), arguments[1]);
        configuration.registerBrokerPlugin(new Confirmations());
        new EmbeddedActiveMQ().setConfiguration(configuration).start();
        System.out.println(STARTED);
        BrokerProcess.endWithParent();
    }

    /** Prints the ids of messages when their journal was flushed. */
    private static final class Confirmations implements ActiveMQServerPlugin {

        private ActiveMQServer server;

        @Override
        public void registered(ActiveMQServer registered) {
            server = registered;
        }

        @Override
        public void afterSend(
                ServerSession session,
                Transaction transaction,
                Message message,
                boolean direct,
                boolean noAutoCreateQueue,
                RoutingStatus result) {
            String id = message.getStringProperty("cloudEvents_id");
            server.getStorageManager().afterCompleteOperations(new IOCallback() {
                @Override
                public void done() {
                    System.out.println(CONFIRMS + id);
                }

                @Override
                public void onError(int code, String reason) {
                    System.out.println("does not store %s: %s".formatted(id, reason));
                }
            });
        }
    }
}
