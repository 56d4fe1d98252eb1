package io.delayjob.client;

import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;

/**
 * Keeps unverified calls out of WebFlux applications. delayjob can verify calls only in Spring MVC applications. If
 * paths of hooks are configured, the WebFlux application does not start. Requests for a method with an argument {@link
 * DelayedCall} are refused.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(WebFluxConfigurer.class)
@EnableConfigurationProperties(ClientProperties.class)
public final class DelayJobReactiveHooksAutoConfiguration {

    DelayJobReactiveHooksAutoConfiguration(ClientProperties properties) {
        List<String> paths = properties.hooks().paths();
        if (!paths.isEmpty()) {
            throw new InvalidConfigurationPropertyValueException(
                    "delayjob.client.hooks.paths",
                    paths,
                    "Calls are verified in Spring MVC applications only: remove the paths, and verify the signatures with a library of Standard Webhooks, or make the application a servlet application.");
        }
    }

    @Bean
    WebFluxConfigurer delayJobCallRefusal() {
        return new WebFluxConfigurer() {
            @Override
            public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
                resolvers.addCustomResolver(new Unverified());
            }
        };
    }

    /** Without this resolver, WebFlux would fill the argument {@link DelayedCall} from the request. */
    private static final class Unverified implements HandlerMethodArgumentResolver {

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == DelayedCall.class
                    || parameter.nested().getNestedParameterType() == DelayedCall.class;
        }

        @Override
        public Mono<Object> resolveArgument(
                MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
            return Mono.error(new ServerWebInputException(
                    "No verified call: calls are verified in Spring MVC applications only.", parameter));
        }
    }
}
