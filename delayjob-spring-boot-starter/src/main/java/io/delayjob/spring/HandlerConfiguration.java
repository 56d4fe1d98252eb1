package io.delayjob.spring;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.settings.EngineSettings;
import io.delayjob.target.TargetHandlers;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Turns annotated methods, beans and targets into handlers. Turns calls of deferred methods into jobs. */
@Configuration(proxyBeanMethods = false)
class HandlerConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DeferredPostProcessor delayJobDeferredPostProcessor(
            ObjectProvider<HandlerReader> reader,
            ObjectProvider<DelayJobOperations> operations,
            Environment environment) {
        return new DeferredPostProcessor(
                new DeferredInterceptor(reader::getObject, operations::getObject),
                environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
    }

    @Bean
    HandlerReader delayJobHandlerReader(ConfigurableListableBeanFactory beans, EngineSettings settings) {
        Attributes attributes = new Attributes(beans::resolveEmbeddedValue);
        return new HandlerReader(
                attributes, new RetryReader(attributes, settings.attempts().retry()));
    }

    @Bean
    DeclaredSchedules delayJobDeclaredSchedules(
            ObjectProvider<DelayJobEngine> engine, ObjectProvider<DelayJobTransactions> transactions) {
        return new DeclaredSchedules(
                (handler, repeat) -> repeat == null
                        ? engine.getObject().undeclare(handler)
                        : engine.getObject().declare(handler, repeat),
                transactions.getIfAvailable(() -> DelayJobTransactions.NONE));
    }

    @Bean
    HandlerPlaces delayJobHandlerPlaces(
            HandlerRegistry registry,
            DeclaredSchedules schedules,
            ObjectProvider<DelayJobStores> stores,
            ObjectProvider<StoresLifecycle> named) {
        Map<String, DeclaredSchedules> all = new HashMap<>(Map.of(DelayJobStores.DEFAULT, schedules));
        named.ifAvailable(lifecycle -> all.putAll(lifecycle.schedules()));
        return new HandlerPlaces(registry, stores.getIfAvailable(), all);
    }

    @Bean
    HandlerDiscovery delayJobHandlerDiscovery(
            ConfigurableListableBeanFactory beans,
            HandlerReader reader,
            PayloadCodec codec,
            HandlerPlaces places,
            ObjectProvider<HandlerCustomizer> customizers,
            ObjectProvider<TargetHandlers> targets) {
        return new HandlerDiscovery(
                beans,
                reader,
                codec,
                places,
                customizers.orderedStream().toList(),
                targets.stream().toList());
    }

    /** Handlers must be found even if beans are created lazily. */
    @Bean
    static LazyInitializationExcludeFilter delayJobHandlersAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(HandlerDiscovery.class);
    }
}
