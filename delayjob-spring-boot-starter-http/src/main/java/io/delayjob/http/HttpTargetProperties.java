package io.delayjob.http;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code delayjob.targets.<name>.http}. Secrets are bound as texts and checked later, because an error
 * message about a value that cannot be bound would show the secret.
 *
 * @param url URL to call. The path that a job states is appended to this URL.
 * @param method POST, PUT, PATCH, DELETE or GET.
 * @param secret Secret that signs calls: whsec_ and 24 to 64 bytes in Base64.
 * @param previousSecret The previous secret. While the previous secret is set, calls carry the signatures of both
 *     secrets.
 * @param headers Headers of each call.
 * @param allowedHeaders Names of headers that a job may state.
 * @param answerWithin How long the receiver may take to answer after a response with status 202. If this property is
 *     not set, a response with status 202 ends the job.
 * @param insecure Whether the URL may begin with http instead of https.
 * @param sslBundle Name of the SSL bundle with the trusted certificates and the client's own certificate.
 * @param connectTimeout How long a call may take to connect.
 * @param readTimeout How long it may take to read the response.
 */
record HttpTargetProperties(
        @Nullable String url,
        @DefaultValue("POST") String method,
        @Nullable String secret,
        @Nullable String previousSecret,
        @DefaultValue Map<String, String> headers,
        @DefaultValue List<String> allowedHeaders,
        @Nullable Duration answerWithin,
        @DefaultValue("false") boolean insecure,
        @Nullable String sslBundle,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("30s") Duration readTimeout) {

    /** Headers and even the URL may be secret. */
    @Override
    public String toString() {
        return "HttpTargetProperties[******]";
    }
}
