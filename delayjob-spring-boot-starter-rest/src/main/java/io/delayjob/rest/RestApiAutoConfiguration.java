package io.delayjob.rest;

import io.delayjob.DelayJobOperations;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.ChainStep;
import io.delayjob.settings.EngineSettings;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.spring.DelayJobStores;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves the REST API in a Spring MVC application. Spring Boot's own filter chains protect the rest of the application.
 * Spring Boot would not create these chains if the chain of the API already existed. Therefore this auto-configuration
 * comes after the auto-configurations that create these chains.
 */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.client.autoconfigure.servlet.OAuth2ClientWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.OAuth2ResourceServerWebSecurityAutoConfiguration",
            "org.springframework.boot.security.saml2.autoconfigure.Saml2RelyingPartyAutoConfiguration"
        })
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnBean(DelayJobOperations.class)
@EnableConfigurationProperties(RestProperties.class)
@Import({RestApiAutoConfiguration.WithoutSecurity.class, RestSecurityConfiguration.class})
public final class RestApiAutoConfiguration {

    /** Maximum number of bytes of one character in JSON, as in the escape \\u00e9. */
    private static final int MAX_BYTES_PER_CHARACTER = 6;

    /** Maximum number of bytes for the fields of a request, without arguments and following jobs. */
    private static final int OTHER_FIELDS = 16 * 1024;

    private final JsonMapper mapper = ApiJson.mapper();

    @Bean
    ExposedJobs delayJobRestExposedJobs(
            DelayJobOperations jobs,
            RestProperties properties,
            HandlerRegistry handlers,
            ObjectProvider<DelayJobStores> stores) {
        RestProperties.Exposure exposure = properties.exposure();
        DelayJobStores several = stores.getIfAvailable();
        HandlerRegistry all = several == null ? handlers : several.handlers();
        return new ExposedJobs(jobs, exposure.names(all), exposure::hasGroup);
    }

    @Bean
    JobsController delayJobRestController(DelayJobOperations jobs, ExposedJobs exposed, RestProperties properties) {
        return new JobsController(jobs, exposed, properties.showPayloads() ? mapper : null);
    }

    @Bean
    GroupsController delayJobRestGroupsController(ExposedJobs exposed) {
        return new GroupsController(exposed);
    }

    @Bean
    @ConditionalOnBean(AnswerTickets.class)
    AnswersController delayJobRestAnswersController(DelayJobOperations jobs, AnswerTickets tickets) {
        return new AnswersController(jobs, tickets);
    }

    @Bean
    OtherPaths delayJobRestOtherPaths(RestProperties properties) {
        return new OtherPaths(properties.path());
    }

    @Bean
    Refusals delayJobRestRefusals() {
        return new Refusals();
    }

    @Bean
    ProblemWriter delayJobRestProblemWriter() {
        return new ProblemWriter(mapper);
    }

    /** Comes last, so that no converter of the application reads bodies of the API. */
    @Bean
    @Order
    WebMvcConfigurer delayJobRestBodies(EngineSettings settings) {
        long maxCharacters = (long) settings.attempts().payloadMaxSize() + ChainStep.MAX_BYTES;
        long maxBytes = maxCharacters * MAX_BYTES_PER_CHARACTER + OTHER_FIELDS;
        ApiBodyConverter bodies = new ApiBodyConverter(mapper, (int) Math.min(maxBytes, Integer.MAX_VALUE - 1));
        return new WebMvcConfigurer() {

            /** Spring MVC does not call the newer method if the application configures the list of all converters. */
            @Override
            @SuppressWarnings("removal")
            public void extendMessageConverters(List<HttpMessageConverter<?>> converters) {
                converters.add(0, bodies);
            }
        };
    }

    /** With another converter, the API would ignore misspelled fields and the limit of the length. */
    @Bean
    SmartInitializingSingleton delayJobRestBodiesCheck(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
        return () -> {
            // Other libraries, such as Spring Data REST, have adapters of their own.
            List<RequestMappingHandlerAdapter> all = adapters.stream().toList();
            List<String> readers = all.stream()
                    .flatMap(adapter -> reader(adapter).stream())
                    .map(converter -> converter.getClass().getName())
                    .toList();
            if (!all.isEmpty() && !readers.contains(ApiBodyConverter.class.getName())) {
                throw new IllegalStateException(
                        "The REST API of delayjob does not start, because Spring MVC would read requests with %s instead of the API's converter. Extend DelegatingWebMvcConfiguration instead of WebMvcConfigurationSupport, or implement WebMvcConfigurer. If the application adds converters itself, add them at the end of the list."
                                .formatted(readers));
            }
        };
    }

    /** Like Spring MVC, takes the first converter that can read the body. */
    private static Optional<HttpMessageConverter<?>> reader(RequestMappingHandlerAdapter adapter) {
        return adapter.getMessageConverters().stream()
                .filter(converter -> converter.canRead(JobRequest.class, MediaType.APPLICATION_JSON))
                .findFirst();
    }

    /** Refuses the start without Spring Security, because nothing would protect the REST API. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.security.config.annotation.web.builders.HttpSecurity")
    static class WithoutSecurity {

        WithoutSecurity() {
            throw new MissingAuthenticationException("Spring Security is not on the class path");
        }
    }
}
