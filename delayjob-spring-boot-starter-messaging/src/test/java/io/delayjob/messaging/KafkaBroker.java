package io.delayjob.messaging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.delayjob.jdbc.TestProxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker in a process of its own. It confirms records before it flushes them, so they survive {@code kill -9}
 * of the process, but not a power cut.
 */
final class KafkaBroker implements AutoCloseable {

    private static final String STARTED = "Kafka accepts connections.";
    private static final String CLUSTER = "ZGVsYXlqb2ItdGVzdC0wMQ";
    private static final int PATIENCE_SECONDS = 60;

    private final BrokerProcess process;
    private final int advertised;
    private final int besideProxy = BrokerProcess.freePort();

    /** Starts a broker that keeps its log in this directory. */
    KafkaBroker(Path directory) throws Exception {
        this(directory, BrokerProcess.freePort(), null);
    }

    /**
     * Starts a broker that keeps its log in this directory.
     *
     * @param port where it listens
     * @param proxy the proxy to which it sends its clients
     */
    KafkaBroker(Path directory, int port, @Nullable TestProxy proxy) throws Exception {
        advertised = proxy == null ? port : proxy.port();
        int controller = BrokerProcess.freePort();
        Path settings = Files.writeString(directory.resolve("server.properties"), """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                listeners=PLAINTEXT://127.0.0.1:%1$d,BESIDE://127.0.0.1:%5$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%3$d,BESIDE://127.0.0.1:%5$d
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,BESIDE:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%4$s
                auto.create.topics.enable=false
                offsets.topic.num.partitions=1
                offsets.topic.replication.factor=1
                group.initial.rebalance.delay.ms=0
                # A broker that starts again must wait until its former session has ended.
                broker.session.timeout.ms=2000
                broker.heartbeat.interval.ms=500
                """.formatted(
                        port, controller, advertised, directory.resolve("log"), besideProxy));
        process = BrokerProcess.startJava(KafkaBroker.class, STARTED, settings);
    }

    /** The process: a broker with the settings of a file. */
    public static void main(String[] arguments) throws Exception {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        String settings = arguments[0];
        StorageTool.execute(
                new String[] {"format", "--cluster-id", CLUSTER, "--config", settings, "--ignore-formatted"},
                System.out);
        new KafkaRaftServer(KafkaConfig.fromProps(Utils.loadProps(settings)), Time.SYSTEM).startup();
        System.out.println(STARTED);
        BrokerProcess.endWithParent();
    }

    BrokerProcess process() {
        return process;
    }

    String address() {
        return "127.0.0.1:" + advertised;
    }

    /** Creates a topic whose records carry the time at which the broker has appended them. */
    void create(String topic, int partitions) throws Exception {
        NewTopic created =
                new NewTopic(topic, partitions, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
            admin.createTopics(List.of(created)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Reads all records of a topic. */
    List<ConsumerRecord<String, byte[]>> readAll(String topic) {
        long count;
        try (KafkaConsumer<String, byte[]> consumer = consumer()) {
            count = consumer.endOffsets(partitions(consumer, topic)).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
        return read(topic, Math.toIntExact(count));
    }

    /** Waits until a topic has a record with one of these ids. */
    void awaitStored(String topic, Set<String> ids) {
        try (KafkaConsumer<String, byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            for (int polls = 0; polls < 600; polls++) {
                for (ConsumerRecord<String, byte[]> next : consumer.poll(Duration.ofMillis(100))) {
                    if (ids.contains(header(next, "ce_id"))) {
                        return;
                    }
                }
            }
        }
        throw new AssertionError("Topic '%s' has got none of these records within a minute: %s".formatted(topic, ids));
    }

    private static List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
    }

    private KafkaConsumer<String, byte[]> consumer() {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + besideProxy,
                "group.id",
                UUID.randomUUID().toString(),
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                "false");
        return new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /** Reads a topic from its beginning until that many records have come, or nothing has come for half a minute. */
    List<ConsumerRecord<String, byte[]>> read(String topic, int count) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer = consumer()) {
            consumer.subscribe(List.of(topic));
            for (int empty = 0; empty < 60 && records.size() < count; empty++) {
                for (ConsumerRecord<String, byte[]> next : consumer.poll(Duration.ofMillis(500))) {
                    records.add(next);
                    empty = 0;
                }
            }
        }
        return records;
    }

    static String header(ConsumerRecord<?, ?> sent, String name) {
        return sent.headers().lastHeader(name) == null
                ? null
                : new String(sent.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.close();
    }
}
