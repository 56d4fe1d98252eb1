package io.delayjob.rest;

import org.springframework.security.config.annotation.web.builders.HttpSecurity;

/**
 * Adds a way for callers of the REST API to authenticate, such as client certificates or API keys. A bean of this type
 * changes the filter chain of the API, and is treated as a way to authenticate:
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
     * Changes the filter chain of the API, so that it offers one more way to authenticate. The chain applies only to
     * the path of the API, and keeps no session.
     */
    void customize(HttpSecurity http) throws Exception;
}
