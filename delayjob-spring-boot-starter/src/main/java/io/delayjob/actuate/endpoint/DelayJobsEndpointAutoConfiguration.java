package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobStoresAutoConfiguration;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.settings.EngineSettings;
import io.delayjob.spring.DelayJobStores;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Configures the endpoint {@code delayjobs} if the endpoint is exposed. */
@AutoConfiguration(
        after = {DelayJobAutoConfiguration.class, DelayJobStoresAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(DelayJobsEndpoint.class)
@ConditionalOnBean(DelayJobEngine.class)
@EnableConfigurationProperties(DelayJobEndpointProperties.class)
@ImportRuntimeHints(DelayJobsEndpointAutoConfiguration.Bodies.class)
public final class DelayJobsEndpointAutoConfiguration {

    /** Maximum wait of a request while two other requests read the store. */
    private static final Duration READ_PATIENCE = Duration.ofSeconds(1);

    @Bean
    DelayJobsEndpoint delayJobsEndpoint(
            DelayJobEngine engine,
            JobStore store,
            HandlerRegistry handlers,
            EngineSettings settings,
            EngineClock clock) {
        return new DelayJobsEndpoint(engine, store, handlers, settings, clock);
    }

    @Bean
    UnknownArguments delayJobsUnknownArguments(ObjectProvider<StoreViews> views) {
        return new UnknownArguments(views::getIfAvailable);
    }

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = DelayJobsEndpoint.class, exposure = EndpointExposure.WEB)
    RecentActivity delayJobsRecentActivity(EngineClock clock) {
        return new RecentActivity(clock);
    }

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = DelayJobsEndpoint.class, exposure = EndpointExposure.WEB)
    Pulse delayJobsPulse(
            DelayJobsEndpoint endpoint,
            DelayJobEngine engine,
            JobStore store,
            EngineClock clock,
            RecentActivity activity) {
        return new Pulse(endpoint, engine, store, clock, activity);
    }

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = DelayJobsEndpoint.class, exposure = EndpointExposure.WEB)
    StoreViews delayJobsStoreViews(
            DelayJobsEndpoint endpoint,
            Pulse pulse,
            DelayJobOperations operations,
            ObjectProvider<DelayJobStores> stores,
            ObjectProvider<StoreTimes> times,
            ApplicationEventPublisher events) {
        DelayJobStores several = stores.getIfAvailable();
        return several == null
                ? StoreViews.ofOne(endpoint, pulse, times.getIfAvailable(), operations, events)
                : StoreViews.ofSeveral(several, endpoint, pulse, times.getIfAvailable(), events);
    }

    @Bean
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
    DelayJobsEndpointWebExtension delayJobsEndpointWebExtension(DelayJobEndpointProperties properties) {
        return new DelayJobsEndpointWebExtension(properties, new ReadGate(READ_PATIENCE));
    }

    @Bean
    @ConditionalOnWebApplication
    @ConditionalOnAvailableEndpoint(endpoint = DelayJobsEndpoint.class, exposure = EndpointExposure.WEB)
    OpenEndpointWarning delayJobsOpenEndpointWarning(
            ApplicationContext context,
            DelayJobEndpointProperties properties,
            ObjectProvider<EndpointAccessResolver> access) {
        return new OpenEndpointWarning(context, properties, AnswersConfiguration.changesAllowed(access));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class WithMeters {

        @Bean
        StoreTimes delayJobsStoreTimes(MeterRegistry registry) {
            return new StoreTimes(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HandlerExceptionResolver.class, PathMappedEndpoints.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnAvailableEndpoint(endpoint = DelayJobsEndpoint.class, exposure = EndpointExposure.WEB)
    static class OverSpringMvc {

        @Bean
        RefusedRequests delayJobsRefusedRequests(
                ObjectProvider<PathMappedEndpoints> endpoints, ObjectProvider<EndpointAccessResolver> access) {
            return new RefusedRequests(new EndpointPath(endpoints), AnswersConfiguration.changesAllowed(access));
        }
    }

    /**
     * These hints are needed in a native image, because the operations declare only {@code Object} as their return
     * type.
     */
    static final class Bodies implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(
                            hints.reflection(),
                            AroundNowDescriptor.class,
                            BulkDescriptor.class,
                            ChangeDescriptor.class,
                            DueDescriptor.class,
                            ErrorDescriptor.class,
                            FailuresDescriptor.class,
                            GroupChangeDescriptor.class,
                            GroupDescriptor.class,
                            GroupsDescriptor.class,
                            HandlerDescriptor.class,
                            HandlersDescriptor.class,
                            InstancesDescriptor.class,
                            JobDetailsDescriptor.class,
                            JobsDescriptor.class,
                            MinutesDescriptor.class,
                            PauseDescriptor.class,
                            PulseDescriptor.class,
                            QueueDescriptor.class,
                            QueuesDescriptor.class,
                            WheelDescriptor.class);
        }
    }
}
