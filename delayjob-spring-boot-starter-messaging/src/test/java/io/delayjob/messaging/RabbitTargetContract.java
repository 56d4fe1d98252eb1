package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.delayjob.job.JobId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.Message;

/** Jobs that become messages of a broker that speaks AMQP 0-9-1, over connections that break. */
abstract class RabbitTargetContract {

    static final int MANY = Integer.getInteger("delayjob.test.messages", 300);

    /** Returns where the broker listens. */
    abstract String url();

    /** Makes a broker that is killed later write its durable queues to the disk. */
    void writeQueues() throws Exception {}

    /** Kills the broker, or breaks off all of the application's connections to it. */
    void kill(CuttableSockets sockets) throws Exception {
        sockets.breakOff();
    }

    /** Starts the broker again, or lets the application connect again. */
    void revive(CuttableSockets sockets) throws Exception {
        sockets.heal();
    }

    final Application application(String... properties) {
        return application(Rabbit.class, properties);
    }

    private Application application(Class<?> configuration, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.rabbitmq.addresses=" + url(),
                "spring.rabbitmq.publisher-confirm-type=correlated",
                "spring.rabbitmq.publisher-returns=true"));
        all.addAll(List.of(properties));
        return Application.of(configuration, all.toArray(String[]::new));
    }

    final Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(url());
        return factory.newConnection();
    }

    @Test
    void messageIsPersistent_andNamesItsJob() throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("billing", BuiltinExchangeType.DIRECT);
            channel.queueDeclare("invoices", false, false, true, null);
            channel.queueBind("invoices", "billing", "invoice");
            BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
            channel.basicConsume("invoices", true, (tag, delivery) -> deliveries.add(delivery), tag -> {});
            try (Application application = application(
                    "delayjob.targets.invoices.rabbit.exchange=billing",
                    "delayjob.targets.invoices.rabbit.routing-key=invoice")) {
                JobId job = application
                        .jobs()
                        .schedule("invoices")
                        .with(Map.of("body", Map.of("total", 12), "headers", Map.of("tenant", "north")))
                        .key("order-7")
                        .now()
                        .id();
                application.awaitFinished(1);

                Delivery delivery = deliveries.poll(10, TimeUnit.SECONDS);
                assertThat(delivery).isNotNull();
                assertThat(new String(delivery.getBody(), StandardCharsets.UTF_8))
                        .isEqualTo("{\"total\":12}");
                assertThat(delivery.getProperties().getMessageId()).isEqualTo(application.idOf(job));
                assertThat(delivery.getProperties().getDeliveryMode()).isEqualTo(2);
                assertThat(delivery.getProperties().getContentType()).isEqualTo("application/json");
                Map<String, String> headers = new HashMap<>();
                delivery.getProperties().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
                assertThat(headers)
                        .containsEntry("tenant", "north")
                        .containsEntry("cloudEvents_id", application.idOf(job))
                        .containsEntry("cloudEvents_specversion", "1.0")
                        .containsEntry("cloudEvents_source", "/delayjob/shop")
                        .containsEntry("cloudEvents_type", "invoices")
                        .containsEntry("cloudEvents_partitionkey", "order-7")
                        .containsKey("cloudEvents_time");
            }
        }
    }

    /** RabbitMQ acknowledges such a message and returns it; Qpid refuses it. */
    @Test
    void messageThatNoQueueTakes_isAFailure_andArrivesOnceThereIsOne() throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel();
                Application application =
                        application(Application.stubborn("lost", "delayjob.targets.lost.rabbit.routing-key=nowhere"))) {
            JobId job = application.jobs().schedule("lost").now().id();

            Application.End end = application.awaitEnd(first -> true);
            assertThat(end.isFinished()).isFalse();
            assertThat(end.failure()).contains("NotConfirmedException").contains("with routing key 'nowhere'");

            channel.queueDeclare("nowhere", false, false, true, null);
            BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
            channel.basicConsume("nowhere", true, (tag, delivery) -> deliveries.add(delivery), tag -> {});
            application.awaitFinished(1);
            Delivery delivery = deliveries.poll(10, TimeUnit.SECONDS);
            assertThat(delivery).isNotNull();
            assertThat(delivery.getProperties().getMessageId()).isEqualTo(application.idOf(job));
        }
    }

    @Test
    void exchangeThatDoesNotExist_isAFailure() throws Exception {
        try (Application application = application(
                "delayjob.targets.lost.rabbit.exchange=no-such-exchange",
                "delayjob.targets.lost.retry.max-retries=0")) {
            application.jobs().schedule("lost").now();
            assertThat(application.awaitEnd(end -> true).isFinished()).isFalse();
        }
    }

    @Test
    void connectionsCutBeforeTheConfirmation_loseNone_andDuplicatesHaveTheSameId() throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel();
                Application application = application(
                        Application.stubborn("orders", "delayjob.targets.orders.rabbit.routing-key=orders"))) {
            channel.queueDeclare("orders", false, false, true, null);
            CuttableSockets sockets = application.bean(CuttableSockets.class);
            BlockingQueue<String> received = new LinkedBlockingQueue<>();
            AtomicInteger count = new AtomicInteger();
            channel.basicConsume(
                    "orders",
                    true,
                    (tag, delivery) -> {
                        received.add(delivery.getProperties().getMessageId());
                        // The broker has the message; its confirmation may be under way.
                        if (count.incrementAndGet() % (MANY / 10) == 0) {
                            sockets.cutAll();
                        }
                    },
                    tag -> {});
            Set<String> ids = new HashSet<>(application.scheduleMany("orders", MANY));

            int attempts = application.awaitFinished(MANY);

            Set<String> arrived = new HashSet<>();
            while (!arrived.equals(ids)) {
                String id = received.poll(10, TimeUnit.SECONDS);
                assertThat(id).as("one of the messages that are missing").isNotNull();
                assertThat(ids).contains(id);
                arrived.add(id);
            }
            assertThat(attempts).isGreaterThan(MANY);
        }
    }

    /** The broker has confirmed messages, but is gone before the application hears so. The queue is durable. */
    @Test
    void brokerKilledBetweenSendAndConfirmation_losesNone_andDuplicatesHaveTheSameId() throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare("doomed", true, false, false, null);
        }
        writeQueues();
        String[] target = Application.stubborn("doomed", "delayjob.targets.doomed.rabbit.routing-key=doomed");
        try (Application application = application(target)) {
            Set<String> ids = new HashSet<>(application.scheduleMany("doomed", MANY / 3));
            int attempts = application.awaitFinished(MANY / 3);
            CuttableSockets sockets = application.bean(CuttableSockets.class);

            sockets.deafen();
            ids.addAll(application.scheduleMany("doomed", MANY - MANY / 3));
            sockets.awaitUnheardConfirmation();
            kill(sockets);
            revive(sockets);

            attempts += application.awaitFinished(MANY - MANY / 3);
            assertThat(attempts).as("attempts").isGreaterThan(MANY);
            try (Connection connection = connect();
                    Channel channel = connection.createChannel()) {
                List<String> arrived = drain(channel, "doomed");
                assertThat(Set.copyOf(arrived)).as("ids of all messages").isEqualTo(ids);
                assertThat(arrived).as("messages with their duplicates").hasSizeGreaterThan(MANY);
                channel.queueDelete("doomed");
            }
        }
    }

    /** Returns the ids of all messages in the queue. */
    private static List<String> drain(Channel channel, String queue) throws Exception {
        int messages = channel.queueDeclarePassive(queue).getMessageCount();
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        channel.basicConsume(
                queue,
                true,
                (tag, delivery) -> received.add(delivery.getProperties().getMessageId()),
                tag -> {});
        List<String> ids = new ArrayList<>();
        while (ids.size() < messages) {
            String id = received.poll(20, TimeUnit.SECONDS);
            assertThat(id).as("message %d of %d", ids.size() + 1, messages).isNotNull();
            ids.add(id);
        }
        return ids;
    }

    @Test
    void redeliveredMessage_comesAgain_withItsBodyAndHeaders() throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare("exports", false, false, true, null);
            try (Application application =
                    application(Listening.class, "delayjob.targets.exports.rabbit.routing-key=exports")) {
                application
                        .jobs()
                        .schedule("exports")
                        .with(Map.of("body", Map.of("rows", 5), "headers", Map.of("tenant", "north")))
                        .now();
                Exports exports = application.bean(Exports.class);
                Message<byte[]> second = exports.done.get(30, TimeUnit.SECONDS);
                assertThat(new String(second.getPayload(), StandardCharsets.UTF_8))
                        .isEqualTo("{\"rows\":5}");
                assertThat(second.getHeaders()).containsEntry("tenant", "north");
                assertThat(exports.received).hasValue(2);
            }
        }
    }

    static class Exports {

        final AtomicInteger received = new AtomicInteger();
        final CompletableFuture<Message<byte[]>> done = new CompletableFuture<>();
        private final DelayedMessages delayed;

        Exports(DelayedMessages delayed) {
            this.delayed = delayed;
        }

        @RabbitListener(queues = "exports")
        void export(Message<byte[]> message) {
            if (received.incrementAndGet() == 1) {
                delayed.redeliver("exports", message, Duration.ofMillis(100));
            } else {
                done.complete(message);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(RabbitAutoConfiguration.class)
    static class Rabbit {

        @Bean
        static CuttableSockets sockets() {
            return new CuttableSockets();
        }

        @Bean
        static BeanPostProcessor useSockets(ObjectProvider<CuttableSockets> sockets) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof CachingConnectionFactory connections) {
                        connections.getRabbitConnectionFactory().setSocketFactory(sockets.getObject());
                    }
                    return bean;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Rabbit.class, Exports.class})
    static class Listening {}
}
