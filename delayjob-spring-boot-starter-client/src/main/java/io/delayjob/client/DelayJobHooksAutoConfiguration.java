package io.delayjob.client;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Verifies calls to the paths of hooks in a Spring MVC application. Spring Boot's own filter chains protect the rest of
 * the application. Spring Boot would not create these chains if the chain for hooks already existed. So this
 * auto-configuration runs after the auto-configurations of Spring Boot.
 *
 * <p>No property turns this protection off. Without the protection, Spring MVC would fill a {@link DelayedCall} from
 * the parameters of any request.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.client.autoconfigure.servlet.OAuth2ClientWebSecurityAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.OAuth2ResourceServerWebSecurityAutoConfiguration",
            "org.springframework.boot.security.saml2.autoconfigure.Saml2RelyingPartyAutoConfiguration"
        })
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({WebMvcConfigurer.class, FilterRegistrationBean.class})
@EnableConfigurationProperties(ClientProperties.class)
public final class DelayJobHooksAutoConfiguration {

    @Bean
    FilterRegistrationBean<CallFilter> delayJobCallFilter(ClientProperties properties) {
        ClientProperties.Hooks hooks = properties.hooks();
        CallVerifier verifier = new CallVerifier(hooks.secret(), hooks.previousSecret());
        FilterRegistrationBean<CallFilter> filter =
                new FilterRegistrationBean<>(new CallFilter(hooks.paths(), verifier, hooks.maxSize()));
        filter.setEnabled(!hooks.paths().isEmpty());
        filter.setOrder(Ordered.LOWEST_PRECEDENCE - 10);
        return filter;
    }

    @Bean
    WebMvcConfigurer delayJobCallArguments() {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new CallArgument());
            }
        };
    }

    /**
     * If an application configures Spring MVC itself, it may ignore beans of type WebMvcConfigurer. Without the
     * resolver, Spring MVC would fill a {@link DelayedCall} from the parameters of any request.
     */
    @Bean
    SmartInitializingSingleton delayJobCallArgumentsOfAllAdapters(
            ObjectProvider<RequestMappingHandlerAdapter> adapters) {
        return () -> adapters.forEach(adapter -> {
            List<HandlerMethodArgumentResolver> resolvers = adapter.getArgumentResolvers();
            if (resolvers != null && resolvers.stream().noneMatch(CallArgument.class::isInstance)) {
                adapter.setArgumentResolvers(Stream.concat(Stream.of(new CallArgument()), resolvers.stream())
                        .toList());
            }
        });
    }

    private static final class CallArgument implements HandlerMethodArgumentResolver {

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.nestedIfOptional().getNestedParameterType() == DelayedCall.class;
        }

        @Override
        public Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer container,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binders)
                throws ServletRequestBindingException {
            HttpServletRequest http = request.getNativeRequest(HttpServletRequest.class);
            Object call = http == null ? null : http.getAttribute(CallFilter.ATTRIBUTE);
            if (parameter.getParameterType() == Optional.class) {
                return Optional.ofNullable(call);
            }
            if (call == null) {
                throw new ServletRequestBindingException(
                        "No verified call: the path must be below delayjob.client.hooks.paths.");
            }
            return call;
        }
    }

    /** Callers of hooks have no session, user or CSRF token, so only the signature is checked. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HttpSecurity.class, SecurityFilterChain.class})
    @ConditionalOnBean(HttpSecurity.class)
    @ConditionalOnProperty("delayjob.client.hooks.secret")
    static class Security {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE + 110)
        @ConditionalOnMissingBean(name = "delayJobHooksSecurityFilterChain")
        SecurityFilterChain delayJobHooksSecurityFilterChain(
                HttpSecurity http,
                ClientProperties properties,
                ObjectProvider<PathPatternRequestMatcher.Builder> matchers)
                throws Exception {
            PathPatternRequestMatcher.Builder ofApplication = PathPatternRequestMatcher.withDefaults();
            PathPatternRequestMatcher.Builder inServlet = matchers.getIfAvailable(() -> ofApplication);
            List<RequestMatcher> paths = properties.hooks().paths().stream()
                    .<RequestMatcher>flatMap(path -> Stream.of(ofApplication.matcher(path), inServlet.matcher(path)))
                    .toList();
            return http.securityMatcher(paths.isEmpty() ? request -> false : new OrRequestMatcher(paths))
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                    .csrf(AbstractHttpConfigurer::disable)
                    .requestCache(AbstractHttpConfigurer::disable)
                    .build();
        }
    }
}
