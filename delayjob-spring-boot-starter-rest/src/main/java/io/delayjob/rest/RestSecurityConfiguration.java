package io.delayjob.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.security.autoconfigure.SecurityProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.web.servlet.handler.MappedInterceptor;

/** Configures a filter chain for the path of the REST API, without sessions, CSRF tokens and CORS. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HttpSecurity.class)
class RestSecurityConfiguration {

    /** This filter chain comes before the application's filter chains, because those may apply to any request. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    private static final String BOOTS_USER = "inMemoryUserDetailsManager";

    /**
     * Spring MVC finds this bean by its type. An application that configures Spring MVC itself may ignore beans of type
     * WebMvcConfigurer.
     */
    @Bean
    MappedInterceptor delayJobRestAuthorities(RestProperties properties, ProblemWriter problems) {
        return new MappedInterceptor(null, new AuthorityCheck(problems, properties));
    }

    @Bean
    @Order(ORDER)
    @ConditionalOnMissingBean(name = "delayJobRestSecurityFilterChain")
    SecurityFilterChain delayJobRestSecurityFilterChain(
            ObjectProvider<HttpSecurity> security,
            RestProperties properties,
            ProblemWriter problems,
            ObjectProvider<PathPatternRequestMatcher.Builder> matchers,
            ObjectProvider<RestSecurityCustomizer> customizers,
            ConfigurableListableBeanFactory beans)
            throws Exception {
        HttpSecurity http = security.getIfAvailable();
        if (http == null) {
            throw new MissingAuthenticationException("Spring Security is not configured for web applications");
        }
        List<RestSecurityCustomizer> ways =
                new ArrayList<>(customizers.orderedStream().toList());
        List<String> schemes = new ArrayList<>();
        if (ways.stream().anyMatch(BearerTokens.class::isInstance)) {
            schemes.add(BearerTokens.SCHEME);
        }
        if (knowsUsers(beans)) {
            schemes.add("Basic realm=\"delayjob\"");
            ways.add(chain -> chain.httpBasic(basic -> basic.authenticationEntryPoint(challenge(problems, schemes))));
        }
        if (ways.isEmpty()) {
            throw new MissingAuthenticationException(
                    "there is no way to authenticate: neither access tokens nor users with known passwords are configured");
        }
        PathPatternRequestMatcher.Builder matcher = matchers.getIfAvailable(PathPatternRequestMatcher::withDefaults);
        http.securityMatcher(matcher.matcher(properties.path() + "/**"))
                .authorizeHttpRequests(requests -> {
                    if (properties.openAnswers()) {
                        requests.requestMatchers(matcher.matcher(HttpMethod.POST, properties.path() + "/answers/*"))
                                .permitAll();
                    }
                    requests.anyRequest().authenticated();
                })
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .cors(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .exceptionHandling(handling -> handling.authenticationEntryPoint(challenge(problems, schemes))
                        .accessDeniedHandler((request, response, denied) -> problems.write(
                                Problem.FORBIDDEN.problem("The caller may not call this path.", null), response)));
        for (RestSecurityCustomizer way : ways) {
            way.customize(http);
        }
        return http.build();
    }

    /**
     * If an application has no users, Spring Boot creates a user. This user does not count, because it has no authority
     * of the API.
     */
    private static boolean knowsUsers(ConfigurableListableBeanFactory beans) {
        Stream<String> names = Stream.of(
                        UserDetailsService.class, AuthenticationProvider.class, AuthenticationManager.class)
                .flatMap(type -> Stream.of(beans.getBeanNamesForType(type)));
        return names.anyMatch(name -> !isMadeUp(name, beans));
    }

    private static boolean isMadeUp(String name, ConfigurableListableBeanFactory beans) {
        if (!beans.containsBeanDefinition(name)) {
            return false;
        }
        String maker = beans.getBeanDefinition(name).getFactoryBeanName();
        SecurityProperties properties =
                beans.getBeanProvider(SecurityProperties.class).getIfAvailable();
        return maker != null
                && maker.endsWith(".UserDetailsServiceAutoConfiguration")
                && properties != null
                && properties.getUser().isPasswordGenerated();
    }

    private static AuthenticationEntryPoint challenge(ProblemWriter problems, List<String> schemes) {
        return (request, response, missing) -> {
            schemes.forEach(scheme -> response.addHeader(HttpHeaders.WWW_AUTHENTICATE, scheme));
            problems.write(
                    Problem.UNAUTHENTICATED.problem(
                            "Missing or invalid credentials: the API answers only authenticated callers.", null),
                    response);
        };
    }

    private record BearerTokens(RestSecurityCustomizer way) implements RestSecurityCustomizer {

        static final String SCHEME = "Bearer";

        @Override
        public void customize(HttpSecurity http) throws Exception {
            way.customize(http);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({BearerTokenAuthenticationFilter.class, JwtDecoder.class})
    static class Tokens {

        @Bean
        @ConditionalOnBean(JwtDecoder.class)
        RestSecurityCustomizer delayJobRestJwt(ProblemWriter problems) {
            return new BearerTokens(http -> http.oauth2ResourceServer(tokens ->
                    tokens.jwt(jwt -> {}).authenticationEntryPoint(challenge(problems, List.of(BearerTokens.SCHEME)))));
        }

        @Bean
        @ConditionalOnMissingBean(JwtDecoder.class)
        @ConditionalOnBean(OpaqueTokenIntrospector.class)
        RestSecurityCustomizer delayJobRestOpaqueTokens(ProblemWriter problems) {
            return new BearerTokens(http -> http.oauth2ResourceServer(tokens -> tokens.opaqueToken(opaque -> {})
                    .authenticationEntryPoint(challenge(problems, List.of(BearerTokens.SCHEME)))));
        }
    }
}
