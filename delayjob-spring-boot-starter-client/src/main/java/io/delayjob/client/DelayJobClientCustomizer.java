package io.delayjob.client;

import org.springframework.web.client.RestClient;

/** Changes only the HTTP client that calls the REST API. For example, a customizer can add access tokens. */
@FunctionalInterface
public interface DelayJobClientCustomizer {

    /** Changes the builder of the client, for example by an interceptor that adds a header to each request. */
    void customize(RestClient.Builder builder);
}
