package io.delayjob.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the client of the REST API.
 *
 * @param url Address of the API, such as https://jobs.example.com/delayjob/v1. If this is not set, there is no client.
 * @param username User name that the client sends. For access tokens, use a DelayJobClientCustomizer bean.
 * @param password Password of the user.
 * @param timeout Maximum time of one request. If a Retry-After header of the server states a longer delay, the request
 *     is not repeated.
 * @param retries Maximum number of times that a request is repeated after a connection failed or the server did not
 *     answer.
 * @param insecure Whether the address may be http instead of https.
 * @param sslBundle Name of the SSL bundle for connections to the server.
 * @param hooks Settings for requests to this application that come from HTTP targets of the server.
 */
@ConfigurationProperties("delayjob.client")
public record ClientProperties(
        @Nullable URI url,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue("10s") Duration timeout,
        @DefaultValue("4") int retries,
        @DefaultValue("false") boolean insecure,
        @Nullable String sslBundle,
        @DefaultValue Hooks hooks) {

    public ClientProperties {
        if (url != null && !"https".equals(url.getScheme()) && !(insecure && "http".equals(url.getScheme()))) {
            throw new IllegalArgumentException(
                    "Invalid delayjob.client.url '%s': must begin with https; set delayjob.client.insecure=true to allow http."
                            .formatted(url));
        }
    }

    @Override
    public String toString() {
        return "ClientProperties[url=%s, username=%s, timeout=%s, retries=%d]"
                .formatted(url, username, timeout, retries);
    }

    /**
     * Settings for requests to this application that come from HTTP targets of the server.
     *
     * @param paths Paths that accept only signed requests, such as /hooks/**.
     * @param secret Secret of the target, the same as on the server: whsec_ and 24 to 64 bytes in Base64.
     * @param previousSecret Previous secret, which is still accepted while the secret is changed.
     * @param maxSize Maximum length of a request's body, in bytes.
     */
    public record Hooks(
            @DefaultValue List<String> paths,
            @Nullable String secret,
            @Nullable String previousSecret,
            @DefaultValue("1048576") int maxSize) {

        public Hooks {
            paths = List.copyOf(paths);
            if (!paths.isEmpty() && secret == null) {
                throw new IllegalArgumentException(
                        ("Missing delayjob.client.hooks.secret: must be set if delayjob.client.hooks.paths is "
                                        + "(%s); set it to the target's secret.")
                                .formatted(paths));
            }
        }

        @Override
        public String toString() {
            return "Hooks[paths=%s, maxSize=%d]".formatted(paths, maxSize);
        }
    }
}
