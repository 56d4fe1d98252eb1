package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobStoresAutoConfiguration;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.spring.DelayJobStores;
import io.delayjob.spring.JobStoreCustomizer;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Configures meters if the application has a {@link MeterRegistry}. */
@AutoConfiguration(
        after = {DelayJobAutoConfiguration.class, DelayJobStoresAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({DelayJobEngine.class, MeterRegistry.class})
@ImportRuntimeHints(DelayJobMetricsAutoConfiguration.StoreProxies.class)
public final class DelayJobMetricsAutoConfiguration {

    @Bean
    JobMeters delayJobMeters(MeterRegistry registry, HandlerRegistry handlers, Environment environment) {
        return new JobMeters(registry, handlers, StoreTags.ofDefault(environment));
    }

    @Bean
    QueueMeters delayJobQueueMeters(
            MeterRegistry registry, ObjectProvider<DelayJobEngine> engine, Environment environment) {
        return new QueueMeters(registry, engine::getObject, StoreTags.ofDefault(environment));
    }

    @Bean
    ClusterSlotMeters delayJobClusterSlotMeters(
            MeterRegistry registry,
            HandlerRegistry handlers,
            ObjectProvider<DelayJobEngine> engine,
            Environment environment) {
        return new ClusterSlotMeters(registry, handlers, engine::getObject, StoreTags.ofDefault(environment));
    }

    /**
     * Only calls that reach the store are measured. So this customizer comes before the customizers that may let a call
     * wait.
     */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE - 1)
    JobStoreCustomizer delayJobMeasuredStore(MeterRegistry registry, Environment environment) {
        return new JobStoreCustomizer() {
            @Override
            public JobStore customize(JobStore store) {
                return MeasuredStore.of(store, registry, StoreTags.ofDefault(environment));
            }

            @Override
            public JobStore customize(JobStore store, String name) {
                return MeasuredStore.of(store, registry, StoreTags.of(name));
            }
        };
    }

    @Bean
    StoreMeters delayJobStoreMeters(
            JobStore store, EngineClock clock, ObjectProvider<DelayJobEngine> engine, Environment environment) {
        return StoreMeters.of(store, clock, engine::getObject, StoreTags.ofDefault(environment));
    }

    @Bean
    EngineMeters delayJobEngineMeters(ObjectProvider<DelayJobEngine> engine, Environment environment) {
        return new EngineMeters(engine::getObject, StoreTags.ofDefault(environment));
    }

    @Bean
    @ConditionalOnBean(DelayJobStores.class)
    NamedStoreMeters delayJobNamedStoreMeters(DelayJobStores stores, MeterRegistry registry) {
        return new NamedStoreMeters(stores, registry);
    }

    /** Registers the proxy of {@link MeasuredStore} for native images. */
    static final class StoreProxies implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.proxies().registerJdkProxy(JobStore.class).registerJdkProxy(InstanceStore.class);
        }
    }
}
