package io.delayjob.actuate.endpoint;

import io.delayjob.time.EngineClock;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.HandlerMapping;

/** Registers the filters that complete the responses of the endpoint. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnAvailableEndpoint(endpoint = DelayJobsEndpoint.class, exposure = EndpointExposure.WEB)
@ConditionalOnBean(DelayJobsEndpoint.class)
final class AnswersConfiguration {

    static BooleanSupplier changesAllowed(ObjectProvider<EndpointAccessResolver> access) {
        return () -> access.stream()
                .allMatch(resolver ->
                        resolver.accessFor(UnknownArguments.ENDPOINT, Access.READ_ONLY) == Access.UNRESTRICTED);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HandlerMapping.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OverSpringMvc {

        @Bean
        BusyAnswers delayJobsBusyAnswers(ObjectProvider<PathMappedEndpoints> endpoints) {
            return new BusyAnswers(new EndpointPath(endpoints));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({SecurityFilterChain.class, HandlerMapping.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class SecuredOverSpringMvc {

        @Bean
        RefusedChanges delayJobsRefusedChanges(ObjectProvider<PathMappedEndpoints> endpoints, EngineClock clock) {
            return new RefusedChanges(new EndpointPath(endpoints), new Refusal.Log(clock));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherHandler.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OverSpringWebFlux {

        @Bean
        WebFluxAnswers delayJobsWebFluxAnswers(
                ObjectProvider<PathMappedEndpoints> endpoints,
                ObjectProvider<EndpointAccessResolver> access,
                EngineClock clock) {
            return new WebFluxAnswers(new EndpointPath(endpoints), changesAllowed(access), new Refusal.Log(clock));
        }
    }
}
