package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.target.InvalidTargetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.kafka.core.KafkaTemplate;

/** What is refused at start, and in which words. No broker runs. */
class MessagingAutoConfigurationTest {

    private static final String CONFIRMS = "spring.rabbitmq.publisher-confirm-type=correlated";
    private static final String RETURNS = "spring.rabbitmq.publisher-returns=true";

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayJobAutoConfiguration.class,
                    DelayJobMemoryAutoConfiguration.class,
                    DelayJobThreadsAutoConfiguration.class,
                    DelayJobMessagingAutoConfiguration.class))
            .withPropertyValues("delayjob.store=memory", "spring.artemis.mode=native");

    private final ApplicationContextRunner brokers = bare.withConfiguration(AutoConfigurations.of(
            KafkaAutoConfiguration.class,
            RabbitAutoConfiguration.class,
            ArtemisAutoConfiguration.class,
            JmsAutoConfiguration.class));

    @Test
    void targetsOfAllBrokers_startWithoutTheBrokers() {
        brokers.withPropertyValues(
                        CONFIRMS,
                        RETURNS,
                        "delayjob.targets.a.kafka.topic=a",
                        "delayjob.targets.b.rabbit.routing-key=b",
                        "delayjob.targets.c.jms.destination=c",
                        "delayjob.targets.d.jms.destination=d",
                        "delayjob.targets.d.jms.pub-sub=true")
                .run(context -> assertThat(
                                context.getBean(HandlerRegistry.class).names())
                        .containsExactlyInAnyOrder("a", "b", "c", "d"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kafka.topic=a           | spring-kafka is not on the class path. Add spring-boot-starter-kafka to
            rabbit.routing-key=a    | spring-rabbit is not on the class path. Add spring-boot-starter-amqp
            jms.destination=a       | spring-jms is not on the class path. Add spring-boot-starter-artemis or
            """)
    void missingClient_stopsTheStart(String property, String message) {
        bare.withClassLoader(new FilteredClassLoader(KafkaTemplate.class, RabbitTemplate.class, JmsTemplate.class))
                .withPropertyValues("delayjob.targets.mail." + property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidTargetException.class)
                        .hasMessageContaining("Target 'mail' cannot send: " + message));
    }

    @Test
    void missingClient_doesNotAffectTargetsOfOtherKinds() {
        bare.withClassLoader(new FilteredClassLoader(KafkaTemplate.class, RabbitTemplate.class, JmsTemplate.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(DelayedMessages.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kafka.topic=a           | there is no bean of type KafkaTemplate, or
            rabbit.routing-key=a    | there is no bean of type RabbitTemplate, or
            jms.destination=a       | there is no bean of type JmsTemplate with a connection factory, or
            """)
    void missingTemplate_stopsTheStart(String property, String message) {
        bare.withPropertyValues("delayjob.targets.mail." + property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidTargetException.class)
                        .hasMessageContaining("Target 'mail' cannot send: " + message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void kafkaWithFewerAcks_stopsTheStart(String acks) {
        brokers.withPropertyValues("delayjob.targets.mail.kafka.topic=a", "spring.kafka.producer.acks=" + acks)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidTargetException.class)
                        .hasMessageContaining("Target 'mail' needs acks=all")
                        .hasMessageContaining("the producer has acks=" + acks));
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "-1"})
    void kafkaWithAllAcks_starts(String acks) {
        brokers.withPropertyValues("delayjob.targets.mail.kafka.topic=a", "spring.kafka.producer.acks=" + acks)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a.b=c                                            | needs publisher confirms, because otherwise lost messages would go unnoticed. Set spring.rabbitmq.publisher-confirm-type=correlated
            spring.rabbitmq.publisher-confirm-type=simple    | needs publisher confirms
            spring.rabbitmq.publisher-confirm-type=correlated | needs returns and mandatory messages, because RabbitMQ also confirms messages that no queue takes. Set spring.rabbitmq.publisher-returns=true
            """)
    void rabbitWithoutConfirms_stopsTheStart(String property, String message) {
        brokers.withPropertyValues("delayjob.targets.mail.rabbit.routing-key=a", property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidTargetException.class)
                        .hasMessageContaining("Target 'mail' " + message));
    }

    @Test
    void rabbitWithOptionalMessages_stopsTheStart() {
        brokers.withPropertyValues(
                        "delayjob.targets.mail.rabbit.routing-key=a",
                        CONFIRMS,
                        RETURNS,
                        "spring.rabbitmq.template.mandatory=false")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Target 'mail' needs returns and mandatory messages"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kafka.topic=            | Invalid topic of target 'mail': must be the name of a topic.
            rabbit.exchange=        | Invalid exchange and routing-key of target 'mail': at least one of the two must be given
            jms.pub-sub=true        | Invalid destination of target 'mail': must be the name of a queue or topic.
            kafka.topc=a            | The most similar key is delayjob.targets.mail.kafka.topic
            """)
    void incompleteTarget_stopsTheStart(String property, String message) {
        brokers.withPropertyValues("delayjob.targets.mail." + property)
                .run(context -> assertThat(context).getFailure().hasMessageContaining(message));
    }
}
