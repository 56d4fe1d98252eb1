package io.delayjob.spring;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.EngineSettings;
import io.delayjob.handler.HandlerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Makes annotated methods of beans handlers and calls of deferred ones jobs, and starts and stops the engine with the
 * application. Wants beans of type {@link DelayJobEngine}, {@link DelayJobThreads}, {@link EngineSettings},
 * {@link HandlerRegistry} and {@link DelayJobOperations}.
 */
@Configuration(proxyBeanMethods = false)
public class DelayJobConfiguration {

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
        return new HandlerReader(attributes, new RetryReader(attributes, settings.retry()));
    }

    @Bean
    DeclaredSchedules delayJobDeclaredSchedules(DelayJobOperations operations) {
        return new DeclaredSchedules(operations);
    }

    @Bean
    HandlerDiscovery delayJobHandlerDiscovery(
            ConfigurableListableBeanFactory beans,
            HandlerReader reader,
            HandlerRegistry registry,
            ObjectProvider<HandlerCustomizer> customizers,
            DeclaredSchedules schedules) {
        return new HandlerDiscovery(
                beans, reader, registry, customizers.orderedStream().toList(), schedules);
    }

    @Bean
    DelayJobLifecycle delayJobLifecycle(DelayJobEngine engine, DeclaredSchedules schedules, DelayJobThreads threads) {
        return new DelayJobLifecycle(engine, schedules, threads);
    }

    /** Handlers must be found, and their jobs run, even where beans are made when they are first asked for. */
    @Bean
    static LazyInitializationExcludeFilter delayJobLazyInitializationExcludeFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(HandlerDiscovery.class, DelayJobLifecycle.class);
    }
}
