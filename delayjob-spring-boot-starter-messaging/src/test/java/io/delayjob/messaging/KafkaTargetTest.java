package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.jdbc.TestProxy;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.messaging.Message;
import tools.jackson.databind.json.JsonMapper;

/** Jobs that become Kafka records, on a broker that is killed. */
@Tag("kafka")
class KafkaTargetTest {

    private static final int MANY = Integer.getInteger("delayjob.test.messages", 10_000);

    private static TestProxy proxy;
    private static KafkaBroker broker;

    @BeforeAll
    static void startBroker(@TempDir Path directory) throws Exception {
        int port = BrokerProcess.freePort();
        proxy = TestProxy.to("127.0.0.1", port);
        broker = new KafkaBroker(directory, port, proxy);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
        proxy.close();
    }

    private static Application application(Class<?> configuration, String... properties) {
        List<String> all = new ArrayList<>(List.of("spring.kafka.bootstrap-servers=" + broker.address()));
        all.addAll(List.of(properties));
        return Application.of(configuration, all.toArray(String[]::new));
    }

    /** With these properties, an attempt fails soon if the broker is away. Otherwise, it would wait for two minutes. */
    private static String[] impatient(String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.kafka.producer.properties.delivery.timeout.ms=1500",
                "spring.kafka.producer.properties.request.timeout.ms=1000",
                "spring.kafka.producer.properties.max.block.ms=1000"));
        all.addAll(List.of(properties));
        return all.toArray(String[]::new);
    }

    @Test
    void recordNamesItsJob_whateverTheApplicationsOwnProducerSends() throws Exception {
        broker.create("invoices", 2);
        try (Application application = application(
                Kafka.class,
                "delayjob.targets.invoices.kafka.topic=invoices",
                "spring.kafka.producer.value-serializer=org.springframework.kafka.support.serializer.JacksonJsonSerializer",
                "spring.kafka.producer.key-serializer=org.apache.kafka.common.serialization.LongSerializer",
                "spring.kafka.producer.transaction-id-prefix=shop-")) {
            Instant before = Instant.now();
            JobId job = application
                    .jobs()
                    .schedule("invoices")
                    .with(Map.of("body", Map.of("total", 12), "headers", Map.of("tenant", "north")))
                    .key("order-7")
                    .after(Duration.ofMillis(400))
                    .id();
            JobId other = application
                    .jobs()
                    .schedule("invoices")
                    .with(Map.of("key", "order-8"))
                    .key("a job's key")
                    .now()
                    .id();

            Map<String, ConsumerRecord<String, byte[]>> records = new HashMap<>();
            broker.read("invoices", 2).forEach(one -> records.put(KafkaBroker.header(one, "ce_id"), one));
            assertThat(records).containsOnlyKeys(application.idOf(job), application.idOf(other));
            ConsumerRecord<String, byte[]> invoice = records.get(application.idOf(job));
            assertThat(invoice.key()).isEqualTo("order-7");
            assertThat(invoice.timestamp()).isGreaterThanOrEqualTo(before.toEpochMilli() + 400);
            assertThat(new String(invoice.value(), StandardCharsets.UTF_8)).isEqualTo("{\"total\":12}");
            Map<String, String> headers = new HashMap<>();
            invoice.headers().forEach(one -> headers.put(one.key(), new String(one.value(), StandardCharsets.UTF_8)));
            assertThat(headers)
                    .containsEntry("tenant", "north")
                    .containsEntry("content-type", "application/json")
                    .containsEntry("ce_specversion", "1.0")
                    .containsEntry("ce_source", "/delayjob/shop")
                    .containsEntry("ce_type", "invoices")
                    .containsEntry("ce_partitionkey", "order-7")
                    .containsKey("ce_time");
            assertThat(records.get(application.idOf(other)).key()).isEqualTo("order-8");
            assertThat(records.get(application.idOf(other)).value()).isNull();
        }
    }

    @Test
    void topicThatDoesNotExist_isAFailure_andTheRecordArrivesOnceItDoes() throws Exception {
        try (Application application = application(
                Kafka.class, impatient(Application.stubborn("later", "delayjob.targets.later.kafka.topic=later")))) {
            JobId job = application.jobs().schedule("later").now().id();
            Application.End end = application.awaitEnd(first -> true);
            assertThat(end.isFinished()).isFalse();
            assertThat(end.failure()).contains("NotConfirmedException").contains("topic 'later'");

            broker.create("later", 1);
            application.awaitFinished(1);
            assertThat(broker.read("later", 1))
                    .extracting(one -> KafkaBroker.header(one, "ce_id"))
                    .contains(application.idOf(job));
        }
    }

    @Test
    void recordThatIsTooLarge_failsAtOnce() throws Exception {
        broker.create("small", 1);
        try (Application application = application(
                Kafka.class,
                Application.stubborn(
                        "small",
                        "delayjob.targets.small.kafka.topic=small",
                        "spring.kafka.producer.properties.max.request.size=1000"))) {
            application
                    .jobs()
                    .schedule("small")
                    .with(Map.of("body", "x".repeat(2000)))
                    .now();
            assertThat(application.awaitEnd(end -> true).next()).isEqualTo(new Transition.Ended(JobState.FAILED));
        }
    }

    @Test
    void lostConfirmations_sendAgain_withTheSameId() throws Exception {
        broker.create("orders", 4);
        try (Application application = application(
                LosingConfirmations.class,
                Application.stubborn("orders", "delayjob.targets.orders.kafka.topic=orders"))) {
            List<String> ids = application.scheduleMany("orders", MANY);
            int attempts = application.awaitFinished(MANY);

            assertThat(attempts).isGreaterThanOrEqualTo(MANY + MANY / 20);
            List<String> received = ids(broker.read("orders", attempts));
            assertThat(received).hasSize(attempts);
            assertThat(new HashSet<>(received)).isEqualTo(new HashSet<>(ids));
        }
    }

    @Test
    void brokerKilledBetweenSendAndConfirmation_losesNone_andDuplicatesHaveTheSameId() throws Exception {
        broker.create("parcels", 4);
        try (Application application = application(
                Kafka.class,
                impatient(BrokerKills.patient("parcels", "delayjob.targets.parcels.kafka.topic=parcels")))) {
            BrokerKills.Sent sent = new BrokerKills(broker.process(), proxy)
                    .send(application, "parcels", MANY, ids -> broker.awaitStored("parcels", ids));

            assertThat(sent.attempts()).isGreaterThan(MANY);
            List<String> received = ids(broker.readAll("parcels"));
            assertThat(Set.copyOf(received)).as("ids of all records").isEqualTo(Set.copyOf(sent.ids()));
            assertThat(sent.inFlight())
                    .allSatisfy(ids -> assertThat(received.stream().filter(ids::contains))
                            .as("records, one of which was stored but not confirmed at a kill, with their duplicates")
                            .hasSizeGreaterThan(ids.size()));
        }
    }

    private static List<String> ids(List<ConsumerRecord<String, byte[]>> records) {
        return records.stream().map(one -> KafkaBroker.header(one, "ce_id")).toList();
    }

    @Test
    void redeliveredMessage_comesAgain_withItsBodyHeadersAndKey() throws Exception {
        broker.create("exports", 1);
        try (Application application = application(
                Listening.class,
                "delayjob.targets.exports.kafka.topic=exports",
                "spring.kafka.consumer.group-id=exports",
                "spring.kafka.consumer.auto-offset-reset=earliest")) {
            application
                    .jobs()
                    .schedule("exports")
                    .with(Map.of("body", Map.of("rows", 5), "headers", Map.of("tenant", "north")))
                    .key("order-7")
                    .now();
            Exports exports = application.bean(Exports.class);
            Message<String> second = exports.done.get(60, TimeUnit.SECONDS);
            assertThat(second.getPayload()).isEqualTo("{\"rows\":5}");
            assertThat(new ReceivedMessage(second, JsonMapper.shared(), StatedHeaders.ANY).arguments())
                    .containsEntry("headers", Map.of("tenant", "north"))
                    .containsEntry("key", "order-7");
            assertThat(exports.received).hasValue(2);
        }
    }

    static class Exports {

        final AtomicInteger received = new AtomicInteger();
        final CompletableFuture<Message<String>> done = new CompletableFuture<>();
        private final DelayedMessages delayed;

        Exports(DelayedMessages delayed) {
            this.delayed = delayed;
        }

        @KafkaListener(topics = "exports")
        void export(Message<String> message) {
            if (received.incrementAndGet() == 1) {
                delayed.redeliver("exports", message, Duration.ofMillis(100));
            } else {
                done.complete(message);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(KafkaAutoConfiguration.class)
    static class Kafka {}

    @Configuration(proxyBeanMethods = false)
    @Import({Kafka.class, Exports.class})
    static class Listening {}

    /** The broker has each record, but the application does not hear so of every tenth. */
    @Configuration(proxyBeanMethods = false)
    @Import(Kafka.class)
    static class LosingConfirmations {

        @Bean
        DefaultKafkaProducerFactoryCustomizer loseConfirmations() {
            AtomicInteger confirmed = new AtomicInteger();
            return factory -> addTo(factory, confirmed);
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        private static void addTo(DefaultKafkaProducerFactory factory, AtomicInteger confirmed) {
            factory.addPostProcessor(producer -> losing((Producer) producer, confirmed));
        }

        private static Object losing(Producer<?, ?> producer, AtomicInteger confirmed) {
            return Proxy.newProxyInstance(
                    Producer.class.getClassLoader(), new Class<?>[] {Producer.class}, (proxy, method, arguments) -> {
                        Object[] passed = arguments;
                        if (method.getName().equals("send") && arguments.length == 2) {
                            Callback callback = (Callback) arguments[1];
                            passed = new Object[] {
                                arguments[0],
                                (Callback) (metadata, failure) -> {
                                    boolean lost = failure == null && confirmed.incrementAndGet() % 10 == 0;
                                    callback.onCompletion(
                                            metadata, lost ? new TimeoutException("confirmation lost") : failure);
                                }
                            };
                        }
                        try {
                            return method.invoke(producer, passed);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    });
        }
    }
}
