package io.delayjob.actuate.endpoint;

import io.delayjob.time.EngineClock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.servlet.HandlerMapping;

/** Applies if Spring Security guards the endpoint, on the application's port or on a management port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnClass({SecurityFilterChain.class, HandlerMapping.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnAvailableEndpoint(endpoint = DelayJobsEndpoint.class, exposure = EndpointExposure.WEB)
@ConditionalOnBean(DelayJobsEndpoint.class)
final class RefusedChangesConfiguration {

    @Bean
    RefusedChanges delayJobsRefusedChanges(ObjectProvider<PathMappedEndpoints> endpoints, EngineClock clock) {
        return new RefusedChanges(new EndpointPath(endpoints), clock);
    }
}
