package io.delayjob.messaging;

import io.delayjob.handler.Handler;
import io.delayjob.target.TargetKind;
import io.micrometer.observation.ObservationRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Creates a handler from the properties {@code delayjob.targets.<name>.kafka}. All targets share one producer with the
 * settings of the application's producer. The shared producer has separate serializers, because the application may
 * send other data than JSON text.
 */
final class KafkaTargetKind implements TargetKind<KafkaTargetProperties>, DisposableBean {

    /**
     * Maximum time that a worker's thread waits for an unreachable broker. Kafka's default is a minute. During this
     * time, the jobs would occupy the slots of their queue.
     */
    private static final int MAX_BLOCK_MILLIS = 5_000;

    /**
     * Maximum time until a record is confirmed. With Kafka's default of two minutes, the jobs for a stopped broker
     * would keep their slots.
     */
    private static final int DELIVERY_MILLIS = 15_000;

    /** Kafka refuses a request timeout that is longer than {@link #DELIVERY_MILLIS}. */
    private static final int REQUEST_MILLIS = 10_000;

    private final ObjectProvider<KafkaTemplate<?, ?>> templates;
    private final @Nullable ObservationRegistry observed;
    private final CloudEvents events;
    private @Nullable KafkaTemplate<String, byte[]> shared;

    KafkaTargetKind(
            ObjectProvider<KafkaTemplate<?, ?>> templates, @Nullable ObservationRegistry observed, CloudEvents events) {
        this.templates = templates;
        this.observed = observed;
        this.events = events;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Class<KafkaTargetProperties> properties() {
        return KafkaTargetProperties.class;
    }

    @Override
    public Handler handler(String target, KafkaTargetProperties properties, Handler.Builder rules) {
        String topic = properties.topic();
        if (topic == null || topic.isBlank()) {
            throw new IllegalArgumentException(
                    "Invalid topic of target '%s': must be the name of a topic.".formatted(target));
        }
        if (shared == null) {
            shared = template(target);
        }
        return rules.parameters(MessageTarget.PARAMETERS)
                .calls(new MessageTarget(target, events, StatedHeaders.ANY, new KafkaSender(topic, shared)));
    }

    private KafkaTemplate<String, byte[]> template(String target) {
        KafkaTemplate<?, ?> application = templates.getIfUnique();
        if (application == null) {
            throw new IllegalArgumentException(
                    "Target '%s' cannot send: there is no bean of type KafkaTemplate, or there are several and none is @Primary. Spring Boot makes one with spring-boot-starter-kafka and spring.kafka.bootstrap-servers."
                            .formatted(target));
        }
        if (!(application.getProducerFactory() instanceof DefaultKafkaProducerFactory<?, ?> factory)) {
            throw new IllegalArgumentException(
                    "Target '%s' cannot send: the producer factory of the KafkaTemplate must be a DefaultKafkaProducerFactory."
                            .formatted(target));
        }
        checkAcks(target, factory.getConfigurationProperties());
        KafkaTemplate<String, byte[]> own = new KafkaTemplate<>(own(factory));
        own.setAllowNonTransactional(true);
        // The default listener would log each failed record with its key. The job itself reports the failure.
        own.setProducerListener(null);
        if (observed != null) {
            own.setObservationEnabled(true);
            own.setObservationRegistry(observed);
        }
        return own;
    }

    private static void checkAcks(String target, Map<String, Object> configuration) {
        Object acks = configuration.get(ProducerConfig.ACKS_CONFIG);
        if (acks != null && !acks.equals("all") && !acks.equals("-1")) {
            throw new IllegalArgumentException(
                    "Target '%s' needs acks=all, but the producer has acks=%s. So the failure of one broker could lose a confirmed message. Remove spring.kafka.producer.acks, or set it to all."
                            .formatted(target, acks));
        }
    }

    @SuppressWarnings("unchecked") // The serializers set here decide about the types.
    private static ProducerFactory<String, byte[]> own(DefaultKafkaProducerFactory<?, ?> factory) {
        Map<String, Object> changes = new HashMap<>();
        changes.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        changes.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        if (!factory.getConfigurationProperties().containsKey(ProducerConfig.MAX_BLOCK_MS_CONFIG)) {
            changes.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
        }
        if (Stream.of(
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        ProducerConfig.LINGER_MS_CONFIG)
                .noneMatch(factory.getConfigurationProperties()::containsKey)) {
            changes.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS);
            changes.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        }
        var own = (DefaultKafkaProducerFactory<String, byte[]>) factory.copyWithConfigurationOverride(changes);
        own.setKeySerializer(new StringSerializer());
        own.setValueSerializer(new ByteArraySerializer());
        return own;
    }

    /** When this method is called, the engine has already stopped. */
    @Override
    public void destroy() {
        if (shared != null && shared.getProducerFactory() instanceof DefaultKafkaProducerFactory<?, ?> own) {
            own.destroy();
        }
    }
}
