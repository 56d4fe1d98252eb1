package io.delayjob.messaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A Kafka broker in this process. Its log survives a stop. */
final class KafkaBroker implements AutoCloseable {

    private static final int BROKER = 0;

    private final EmbeddedKafkaKraftBroker broker;

    KafkaBroker() {
        broker = new EmbeddedKafkaKraftBroker(1, 1).kafkaPorts(freePort());
        broker.brokerProperty("auto.create.topics.enable", "false");
        broker.brokerProperty("offsets.topic.replication.factor", "1");
        broker.afterPropertiesSet();
    }

    String address() {
        return broker.getBrokersAsString();
    }

    /** Creates a topic whose records carry the time at which the broker has appended them. */
    void create(String topic, int partitions) {
        broker.addTopics(
                new NewTopic(topic, partitions, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime")));
    }

    void stop() {
        broker.getCluster().brokers().get(BROKER).shutdown();
    }

    void start() {
        broker.getCluster().brokers().get(BROKER).startup();
    }

    /** Reads a topic from its beginning until that many records have come. */
    List<ConsumerRecord<String, byte[]>> read(String topic, int count) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        read(topic, next -> {
            records.add(next);
            return records.size() < count;
        });
        return records;
    }

    /** Reads a topic from its beginning while more is wanted, or until nothing has come for half a minute. */
    void read(String topic, Predicate<ConsumerRecord<String, byte[]>> more) {
        boolean wanted = true;
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                address(),
                "group.id",
                UUID.randomUUID().toString(),
                "auto.offset.reset",
                "earliest");
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            for (int empty = 0; empty < 60 && wanted; empty++) {
                for (ConsumerRecord<String, byte[]> next : consumer.poll(Duration.ofMillis(500))) {
                    wanted = more.test(next);
                    empty = 0;
                }
            }
        }
    }

    static String header(ConsumerRecord<?, ?> sent, String name) {
        return sent.headers().lastHeader(name) == null
                ? null
                : new String(sent.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    @Override
    public void close() {
        broker.destroy();
    }
}
