package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.job.JobId;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.ActiveMQInternalErrorException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;

/** Jobs that become JMS messages, on an Artemis broker that fails as brokers do. */
class JmsTargetTest {

    private static final int MANY = Integer.getInteger("delayjob.test.messages", 300);

    private static ArtemisBroker broker;

    @BeforeAll
    static void startBroker(@TempDir Path directory) throws Exception {
        broker = new ArtemisBroker(directory);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    @AfterEach
    void failNoLonger() {
        broker.afterSend(count -> {});
    }

    private static Application application(String... properties) {
        return application(Jms.class, properties);
    }

    private static Application application(Class<?> configuration, String... properties) {
        return applicationAt(ArtemisBroker.URL, configuration, properties);
    }

    private static Application applicationAt(String url, Class<?> configuration, String... properties) {
        List<String> all = new ArrayList<>(List.of("spring.artemis.mode=native", "spring.artemis.broker-url=" + url));
        all.addAll(List.of(properties));
        return Application.of(configuration, all.toArray(String[]::new));
    }

    @Test
    void messageIsPersistent_andNamesItsJob() throws Exception {
        try (Application application = application("delayjob.targets.invoices.jms.destination=invoices")) {
            Instant before = Instant.now();
            JobId job = application
                    .jobs()
                    .schedule("invoices")
                    .with(Map.of("body", Map.of("total", 12), "headers", Map.of("tenant", "north")))
                    .key("order-7")
                    .after(Duration.ofMillis(400))
                    .id();
            application.awaitFinished(1);

            Message message =
                    ArtemisBroker.drain(ArtemisBroker.URL, "invoices", 1).get(0);
            assertThat(((TextMessage) message).getText()).isEqualTo("{\"total\":12}");
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(message.getJMSCorrelationID()).isEqualTo(application.idOf(job));
            assertThat(message.getJMSTimestamp()).isGreaterThanOrEqualTo(before.toEpochMilli() + 400);
            assertThat(properties(message))
                    .containsEntry("tenant", "north")
                    .containsEntry("_AMQ_DUPL_ID", application.idOf(job))
                    .containsEntry("cloudEvents_id", application.idOf(job))
                    .containsEntry("cloudEvents_specversion", "1.0")
                    .containsEntry("cloudEvents_source", "/delayjob/shop")
                    .containsEntry("cloudEvents_type", "invoices")
                    .containsEntry("cloudEvents_partitionkey", "order-7")
                    .containsEntry("cloudEvents_datacontenttype", "application/json")
                    .containsKey("cloudEvents_time");
        }
    }

    private static Map<String, String> properties(Message message) throws JMSException {
        Map<String, String> properties = new HashMap<>();
        for (Object name : Collections.list(message.getPropertyNames())) {
            properties.put((String) name, message.getStringProperty((String) name));
        }
        return properties;
    }

    @Test
    void headersThatBelongToTheTarget_areRefusedWhenScheduled() {
        try (Application application = application("delayjob.targets.invoices.jms.destination=invoices")) {
            assertThatThrownBy(() -> application
                            .jobs()
                            .schedule("invoices")
                            .with(Map.of("headers", Map.of("_AMQ_DUPL_ID", "mine")))
                            .now())
                    .isInstanceOf(InvalidPayloadException.class)
                    .hasMessageContaining("header '_AMQ_DUPL_ID' belongs to the target");
            assertThatThrownBy(() -> application
                            .jobs()
                            .schedule("invoices")
                            .with(Map.of("headers", Map.of("x y", "1")))
                            .now())
                    .hasMessageContaining("1 to 100 letters, digits");
        }
    }

    @Test
    void lostConfirmations_sendAgain_andTheBrokerDropsTheDuplicates() throws Exception {
        try (Application application =
                application(Application.stubborn("orders", "delayjob.targets.orders.jms.destination=orders"))) {
            int before = broker.duplicates();
            broker.afterSend(count -> {
                if (count % 10 == 0) {
                    throw new ActiveMQInternalErrorException("stored, but never confirmed");
                }
            });
            List<String> ids = application.scheduleMany("orders", MANY);

            int attempts = application.awaitFinished(MANY);

            assertThat(attempts).isGreaterThanOrEqualTo(MANY + MANY / 20);
            assertThat(broker.duplicates() - before).isGreaterThanOrEqualTo(MANY / 20);
            assertThat(correlationIds(ArtemisBroker.URL, "orders", MANY)).containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Test
    void brokerKilledBetweenSendAndConfirmation_losesNone_andDropsTheDuplicates(@TempDir Path directory)
            throws Exception {
        try (ArtemisServer server = new ArtemisServer(directory);
                Application application = applicationAt(
                        server.proxyUrl(),
                        Jms.class,
                        BrokerKills.patient("parcels", "delayjob.targets.parcels.jms.destination=parcels"))) {
            BrokerKills.Sent sent = server.kills().send(application, "parcels", MANY, server::awaitStored);

            assertThat(sent.attempts()).isGreaterThan(MANY);
            assertThat(correlationIds(server.url(), "parcels", MANY)).containsExactlyInAnyOrderElementsOf(sent.ids());
        }
    }

    private static List<String> correlationIds(String url, String queue, int expected) throws JMSException {
        List<String> ids = new ArrayList<>();
        for (Message message : ArtemisBroker.drain(url, queue, expected)) {
            ids.add(message.getJMSCorrelationID());
        }
        return ids;
    }

    @Test
    void redeliveredMessage_comesAgain_withItsBodyAndHeaders() throws Exception {
        try (Application application =
                application(Listening.class, "delayjob.targets.exports.jms.destination=exports")) {
            application
                    .jobs()
                    .schedule("exports")
                    .with(Map.of("body", Map.of("rows", 5), "headers", Map.of("tenant", "north")))
                    .now();
            Exports exports = application.bean(Exports.class);
            org.springframework.messaging.Message<String> second = exports.done.get(30, TimeUnit.SECONDS);
            assertThat(second.getPayload()).isEqualTo("{\"rows\":5}");
            assertThat(second.getHeaders()).containsEntry("tenant", "north");
            assertThat(exports.received).hasValue(2);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({ArtemisAutoConfiguration.class, JmsAutoConfiguration.class})
    static class Jms {}

    @Configuration(proxyBeanMethods = false)
    @Import({Jms.class, Exports.class})
    static class Listening {}

    static class Exports {

        final AtomicInteger received = new AtomicInteger();
        final CompletableFuture<org.springframework.messaging.Message<String>> done = new CompletableFuture<>();
        private final DelayedMessages delayed;

        Exports(DelayedMessages delayed) {
            this.delayed = delayed;
        }

        @JmsListener(destination = "exports")
        void export(org.springframework.messaging.Message<String> message) {
            if (received.incrementAndGet() == 1) {
                delayed.redeliver("exports", message, Duration.ofMillis(100));
            } else {
                done.complete(message);
            }
        }
    }
}
