package io.delayjob.messaging;

import io.delayjob.NamedJobs;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.handler.HandlerRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.kafka.core.KafkaTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Contributes the kinds of targets that send messages: {@code delayjob.targets.<name>.kafka}, {@code .rabbit} and
 * {@code .jms}. A template is looked up when a target needs it, so the order of auto-configurations does not matter.
 */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ImportRuntimeHints(DelayJobMessagingAutoConfiguration.BoundProperties.class)
public final class DelayJobMessagingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(NamedJobs.class)
    DelayedMessages delayedMessages(
            NamedJobs jobs, ObjectProvider<JsonMapper> mapper, ObjectProvider<HandlerRegistry> handlers) {
        return new DelayedMessages(
                jobs,
                mapper.getIfAvailable(() -> JsonMapper.builder().build()),
                target -> MessageTarget.rule(handlers.getIfAvailable(), target));
    }

    private static CloudEvents events(Environment environment, String prefix) {
        return new CloudEvents(CloudEvents.sourceOf(environment.getProperty("spring.application.name", "")), prefix);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaTemplate.class)
    static class KafkaTargets {

        @Bean
        KafkaTargetKind delayJobKafkaTargets(
                ObjectProvider<KafkaTemplate<?, ?>> templates,
                ObjectProvider<ObservationRegistry> registries,
                Environment environment) {
            boolean observed =
                    environment.getProperty("spring.kafka.template.observation-enabled", Boolean.class, false);
            return new KafkaTargetKind(
                    templates, observed ? registries.getIfAvailable() : null, events(environment, CloudEvents.KAFKA));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.kafka.core.KafkaTemplate")
    static class NoKafka {

        @Bean
        MissingClient<KafkaTargetProperties> delayJobKafkaTargets() {
            return new MissingClient<>(
                    "kafka", KafkaTargetProperties.class, "spring-kafka", "spring-boot-starter-kafka");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RabbitTemplate.class)
    static class RabbitTargets {

        @Bean
        RabbitTargetKind delayJobRabbitTargets(ObjectProvider<RabbitTemplate> templates, Environment environment) {
            return new RabbitTargetKind(templates, events(environment, CloudEvents.AMQP));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.amqp.rabbit.core.RabbitTemplate")
    static class NoRabbit {

        @Bean
        MissingClient<RabbitTargetProperties> delayJobRabbitTargets() {
            return new MissingClient<>(
                    "rabbit",
                    RabbitTargetProperties.class,
                    "spring-rabbit",
                    "spring-boot-starter-amqp (from Spring Boot 4.2 on, spring-boot-starter-rabbitmq)");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JmsTemplate.class)
    static class JmsTargets {

        @Bean
        JmsTargetKind delayJobJmsTargets(ObjectProvider<JmsTemplate> templates, Environment environment) {
            return new JmsTargetKind(templates, events(environment, CloudEvents.AMQP));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.jms.core.JmsTemplate")
    static class NoJms {

        @Bean
        MissingClient<JmsTargetProperties> delayJobJmsTargets() {
            return new MissingClient<>(
                    "jms",
                    JmsTargetProperties.class,
                    "spring-jms",
                    "spring-boot-starter-artemis or spring-boot-starter-activemq");
        }
    }

    /** Registers these classes for native images, because Spring Boot does not bind them by itself. */
    static final class BoundProperties implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            BindableRuntimeHintsRegistrar.forTypes(
                            KafkaTargetProperties.class, RabbitTargetProperties.class, JmsTargetProperties.class)
                    .registerHints(hints);
        }
    }
}
