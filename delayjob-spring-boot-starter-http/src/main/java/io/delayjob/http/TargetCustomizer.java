package io.delayjob.http;

import org.springframework.web.client.RestClient;

/**
 * Changes the client of HTTP targets, for example to add OAuth2, a proxy or a certificate. Beans of this type are
 * called in their order, once for each target, when the application starts.
 */
@FunctionalInterface
public interface TargetCustomizer {

    /**
     * Changes the client of one target. The request factory of the builder has the timeouts and the SSL bundle, and
     * refuses redirects. A customizer may set another request factory. That factory must have the same timeouts and the
     * same SSL bundle, and must also refuse redirects.
     *
     * @param target name of the target
     * @param client builder for this target alone, as Spring Boot has configured it
     */
    void customize(String target, RestClient.Builder client);
}
