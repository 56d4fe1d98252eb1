package io.delayjob.rest;

import org.springframework.security.config.annotation.web.builders.HttpSecurity;

/**
 * Adds a way for callers of the REST API to authenticate, such as client certificates or API keys. An application with
 * the API starts only if there is a way to authenticate. A bean of this type is enough:
 *
 * <pre>{@code
 * @Bean
 * RestSecurityCustomizer certificates() {
 *     return http -> http.x509(withDefaults());
 * }
 * }</pre>
 */
@FunctionalInterface
public interface RestSecurityCustomizer {

    /**
     * Extends the filter chain of the API by a way to authenticate. The chain applies only to the path of the API, and
     * keeps no session.
     */
    void customize(HttpSecurity http) throws Exception;
}
