package io.delayjob.client;

import org.springframework.web.client.RestClient;

/** Changes the HTTP client of the REST API, and no other client, for example to add access tokens. */
@FunctionalInterface
public interface DelayJobClientCustomizer {

    /** Changes the builder of the client, for example by an interceptor that adds a header to each request. */
    void customize(RestClient.Builder builder);
}
