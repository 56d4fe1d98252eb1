package io.delayjob.http;

import org.springframework.web.client.RestClient;

/**
 * Changes the client of HTTP targets, for example to add OAuth2, a proxy or a certificate. Beans of this type are called
 * in their order, at start, once for each target.
 */
@FunctionalInterface
public interface TargetCustomizer {

    /**
     * Changes the client of one target. Its time-outs, its SSL bundle and its refusal of redirects are in the request
     * factory; a customizer that sets another factory has to see to them.
     *
     * @param target name of the target
     * @param client builder that Spring Boot has configured, and that belongs to this target alone
     */
    void customize(String target, RestClient.Builder client);
}
