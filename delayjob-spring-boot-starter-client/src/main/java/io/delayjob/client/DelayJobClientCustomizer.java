package io.delayjob.client;

import org.springframework.web.client.RestClient;

/**
 * Changes the HTTP client of the REST API, for example to add access tokens. A bean of this type applies to no other
 * client.
 */
@FunctionalInterface
public interface DelayJobClientCustomizer {

    /** Adds what requests to the server need. */
    void customize(RestClient.Builder builder);
}
