package io.delayjob.spring;

import io.delayjob.DelayJobEngine;
import io.delayjob.event.JobListener;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Turns annotated methods of beans into handlers. Turns each call of a {@code @Deferred} method into a job. Starts and
 * stops the engine with the application. This configuration needs beans of six types: {@link DelayJobEngine}, {@link
 * DelayJobThreads}, {@link io.delayjob.settings.EngineSettings}, {@link io.delayjob.handler.HandlerRegistry}, {@link
 * io.delayjob.handler.PayloadCodec} and {@link io.delayjob.DelayJobOperations}. A bean of type {@link
 * DelayJobTransactions} is optional.
 */
@Configuration(proxyBeanMethods = false)
@Import(HandlerConfiguration.class)
public class DelayJobConfiguration {

    @Bean
    JobListener delayJobFailureLog() {
        return new FailureLog();
    }

    @Bean
    DelayJobLifecycle delayJobLifecycle(DelayJobEngine engine, DeclaredSchedules schedules, DelayJobThreads threads) {
        return new DelayJobLifecycle(engine, schedules, threads);
    }

    /** Jobs must run even if beans are created lazily. */
    @Bean
    static LazyInitializationExcludeFilter delayJobLifecycleIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(DelayJobLifecycle.class);
    }
}
