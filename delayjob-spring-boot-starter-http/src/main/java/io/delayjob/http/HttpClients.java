package io.delayjob.http;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.web.client.RestClient;

/** Creates the HTTP client of each target with the HTTP library and the settings of the application. */
final class HttpClients {

    private final ObjectProvider<RestClient.Builder> builders;
    private final ObjectProvider<ClientHttpRequestFactoryBuilder<?>> factories;
    private final ObjectProvider<HttpClientSettings> settings;
    private final ObjectProvider<SslBundles> bundles;
    private final List<TargetCustomizer> customizers;

    HttpClients(
            ObjectProvider<RestClient.Builder> builders,
            ObjectProvider<ClientHttpRequestFactoryBuilder<?>> factories,
            ObjectProvider<HttpClientSettings> settings,
            ObjectProvider<SslBundles> bundles,
            List<TargetCustomizer> customizers) {
        this.builders = builders;
        this.factories = factories;
        this.settings = settings;
        this.bundles = bundles;
        this.customizers = customizers;
    }

    RestClient client(String target, HttpTargetProperties properties) {
        RestClient.Builder builder = builders.getIfAvailable(RestClient::builder)
                .requestFactory(factories
                        .getIfAvailable(ClientHttpRequestFactoryBuilder::detect)
                        .build(settings(target, properties)));
        customizers.forEach(customizer -> customizer.customize(target, builder));
        return builder.build();
    }

    private HttpClientSettings settings(String target, HttpTargetProperties properties) {
        if (properties.connectTimeout().toMillis() < 1
                || properties.readTimeout().toMillis() < 1) {
            throw new IllegalArgumentException(
                    "Invalid connect-timeout or read-timeout of target '%s': must be 1 ms or more.".formatted(target));
        }
        HttpClientSettings its = settings.getIfAvailable(HttpClientSettings::defaults)
                .withRedirects(HttpRedirects.DONT_FOLLOW)
                .withTimeouts(properties.connectTimeout(), properties.readTimeout());
        if (properties.sslBundle() == null) {
            return its;
        }
        SslBundles known = bundles.getIfAvailable();
        if (known == null) {
            throw new IllegalArgumentException(
                    "Invalid ssl-bundle of target '%s': must not be set, because the application has no SSL bundles."
                            .formatted(target));
        }
        try {
            return its.withSslBundle(known.getBundle(properties.sslBundle()));
        } catch (NoSuchSslBundleException unknown) {
            throw new IllegalArgumentException(
                    "Invalid ssl-bundle '%s' of target '%s': must be the name of a bundle in spring.ssl.bundle."
                            .formatted(properties.sslBundle(), target),
                    unknown);
        }
    }
}
