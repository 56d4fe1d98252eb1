package io.delayjob.messaging;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** An Artemis broker in this process. */
final class ArtemisBroker implements AutoCloseable {

    static final String URL = "vm://7";

    private static final int PATIENCE_MILLIS = 10_000;
    private static final int PATIENCE_FOR_EXTRAS_MILLIS = 300;

    private final AtomicInteger duplicates = new AtomicInteger();
    private volatile AfterSend afterSend = sent -> {};
    private final AtomicInteger sent = new AtomicInteger();
    private final EmbeddedActiveMQ server;

    /** Called when a message has been stored, before the client hears of it. */
    interface AfterSend {

        /** @param count number of messages so far */
        void stored(int count) throws ActiveMQException;
    }

    ArtemisBroker(Path directory) throws Exception {
        ConfigurationImpl configuration = configuration(directory, URL);
        configuration.registerBrokerPlugin(new Watch());
        server = new EmbeddedActiveMQ().setConfiguration(configuration);
        server.start();
    }

    /** Returns the configuration of a broker that keeps its messages in this directory. */
    static ConfigurationImpl configuration(Path directory, String url) throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setSecurityEnabled(false);
        configuration.setJournalType(JournalType.NIO);
        configuration.setJournalDirectory(directory.resolve("journal").toString());
        configuration.setBindingsDirectory(directory.resolve("bindings").toString());
        configuration.setLargeMessagesDirectory(directory.resolve("large").toString());
        configuration.setPagingDirectory(directory.resolve("paging").toString());
        configuration.setJournalFileSize(1024 * 1024);
        configuration.addAcceptorConfiguration("acceptor", url);
        return configuration;
    }

    void afterSend(AfterSend hook) {
        afterSend = hook;
    }

    /** Returns how many messages were dropped because the broker had one with the same id. */
    int duplicates() {
        return duplicates.get();
    }

    /**
     * Takes all messages that a queue of a broker holds.
     *
     * @param expected number of messages to wait for
     */
    static List<Message> drain(String url, String queue, int expected) throws JMSException {
        ConnectionFactory connections = new ActiveMQConnectionFactory(url);
        List<Message> messages = new ArrayList<>();
        try (Connection connection = connections.createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            connection.start();
            Message next = consumer.receive(PATIENCE_MILLIS);
            while (next != null) {
                messages.add(next);
                next = consumer.receive(messages.size() < expected ? PATIENCE_MILLIS : PATIENCE_FOR_EXTRAS_MILLIS);
            }
        }
        return messages;
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }

    private final class Watch implements ActiveMQServerPlugin {

        @Override
        public void afterSend(
                ServerSession session,
                Transaction transaction,
                org.apache.activemq.artemis.api.core.Message message,
                boolean direct,
                boolean noAutoCreateQueue,
                RoutingStatus result)
                throws ActiveMQException {
            if (result == RoutingStatus.DUPLICATED_ID) {
                duplicates.incrementAndGet();
            } else {
                afterSend.stored(sent.incrementAndGet());
            }
        }
    }
}
