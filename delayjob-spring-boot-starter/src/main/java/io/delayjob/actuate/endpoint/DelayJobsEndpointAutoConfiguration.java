package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.EngineSettings;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** The endpoint, where it is exposed. */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(DelayJobsEndpoint.class)
@ConditionalOnBean(DelayJobEngine.class)
@EnableConfigurationProperties(DelayJobEndpointProperties.class)
@ImportRuntimeHints(DelayJobsEndpointAutoConfiguration.Bodies.class)
public final class DelayJobsEndpointAutoConfiguration {

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
    UnknownArguments delayJobsUnknownArguments() {
        return new UnknownArguments();
    }

    @Bean
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
    DelayJobsEndpointWebExtension delayJobsEndpointWebExtension(
            DelayJobsEndpoint endpoint, DelayJobOperations operations, DelayJobEndpointProperties properties) {
        return new DelayJobsEndpointWebExtension(
                endpoint,
                new JobChanges(operations),
                caller -> properties.showPayloads().isShown(caller, properties.roles()));
    }

    /** Where Spring MVC serves the endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HandlerExceptionResolver.class, PathMappedEndpoints.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnAvailableEndpoint(endpoint = DelayJobsEndpoint.class, exposure = EndpointExposure.WEB)
    static class OverSpringMvc {

        @Bean
        RefusedRequests delayJobsRefusedRequests(
                ObjectProvider<PathMappedEndpoints> endpoints, ObjectProvider<EndpointAccessResolver> access) {
            return new RefusedRequests(
                    () -> endpoints.stream()
                            .map(paths -> paths.getPath(UnknownArguments.ENDPOINT))
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null),
                    () -> access.stream()
                            .allMatch(resolver -> resolver.accessFor(UnknownArguments.ENDPOINT, Access.READ_ONLY)
                                    == Access.UNRESTRICTED));
        }
    }

    /**
     * What the endpoint answers with over HTTP, where the signatures of its operations say only that it is an object.
     */
    static final class Bodies implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(
                            hints.reflection(),
                            ChangeDescriptor.class,
                            ErrorDescriptor.class,
                            HandlerDescriptor.class,
                            HandlersDescriptor.class,
                            InstancesDescriptor.class,
                            JobDetailsDescriptor.class,
                            JobsDescriptor.class,
                            PauseDescriptor.class,
                            QueueDescriptor.class,
                            QueuesDescriptor.class,
                            WheelDescriptor.class);
        }
    }
}
