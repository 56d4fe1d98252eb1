package io.delayjob.rest;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains at start how callers of the REST API can authenticate. */
final class MissingAuthenticationFailureAnalyzer extends AbstractFailureAnalyzer<MissingAuthenticationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MissingAuthenticationException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), """
                Choose a way in which callers authenticate:
                    - access tokens: add spring-boot-starter-security-oauth2-resource-server and set
                      spring.security.oauth2.resourceserver.jwt.issuer-uri, or
                    - users with passwords: add spring-boot-starter-security and declare a UserDetailsService bean, or set
                      spring.security.user.name, .password and .roles (for example delayjob:submit), or
                    - anything else: add spring-boot-starter-security and declare a RestSecurityCustomizer bean.
                Callers need the authorities delayjob:submit, delayjob:read, delayjob:change or delayjob:answer.
                To do without the API, remove delayjob-spring-boot-starter-rest.
                """, cause);
    }
}
