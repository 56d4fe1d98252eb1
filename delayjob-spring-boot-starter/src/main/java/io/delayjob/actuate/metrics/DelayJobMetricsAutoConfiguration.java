package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.spring.JobStoreCustomizer;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.BooleanSupplier;
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

/** Configures meters if the application has a {@link MeterRegistry}. */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({DelayJobEngine.class, MeterRegistry.class})
@ImportRuntimeHints(DelayJobMetricsAutoConfiguration.StoreProxies.class)
public final class DelayJobMetricsAutoConfiguration {

    @Bean
    JobMeters delayJobMeters(MeterRegistry registry, HandlerRegistry handlers) {
        return new JobMeters(registry, handlers);
    }

    @Bean
    QueueMeters delayJobQueueMeters(MeterRegistry registry, ObjectProvider<DelayJobEngine> engine) {
        return new QueueMeters(registry, engine::getObject);
    }

    /** Comes before customizers that make calls wait, so that it measures the calls that reach the store. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE - 1)
    JobStoreCustomizer delayJobMeasuredStore(MeterRegistry registry) {
        return store -> MeasuredStore.of(store, registry);
    }

    @Bean
    StoreMeters delayJobStoreMeters(JobStore store, EngineClock clock, ObjectProvider<DelayJobEngine> engine) {
        BooleanSupplier inTrouble =
                () -> !engine.getObject().status().troubles().isEmpty();
        return new StoreMeters(new StoredJobs(store, clock, inTrouble), new OldestDue(store, clock, inTrouble), clock);
    }

    @Bean
    EngineMeters delayJobEngineMeters(ObjectProvider<DelayJobEngine> engine) {
        return new EngineMeters(engine::getObject);
    }

    /** Registers the interfaces that {@link MeasuredStore} implements as a proxy. */
    static final class StoreProxies implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.proxies().registerJdkProxy(JobStore.class).registerJdkProxy(InstanceStore.class);
        }
    }
}
