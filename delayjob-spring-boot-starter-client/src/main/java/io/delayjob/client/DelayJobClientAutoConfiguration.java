package io.delayjob.client;

import io.delayjob.DelayJobOperations;
import io.delayjob.NamedJobs;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.json.JsonMapper;

/** Configures the client of the REST API if the address of the API is configured. */
@AutoConfiguration(
        after = RestClientAutoConfiguration.class,
        afterName = "io.delayjob.autoconfigure.DelayJobAutoConfiguration")
@ConditionalOnProperty("delayjob.client.url")
@EnableConfigurationProperties(ClientProperties.class)
public final class DelayJobClientAutoConfiguration {

    @Bean
    Server delayJobServer(
            ClientProperties properties,
            RestClient.Builder builder,
            ObjectProvider<ClientHttpRequestFactoryBuilder<?>> factories,
            ObjectProvider<HttpClientSettings> defaults,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<DelayJobClientCustomizer> customizers) {
        HttpClientSettings settings = defaults.getIfAvailable(HttpClientSettings::defaults)
                .withConnectTimeout(properties.timeout())
                .withReadTimeout(properties.timeout())
                .withRedirects(HttpRedirects.DONT_FOLLOW);
        if (properties.sslBundle() != null) {
            settings = settings.withSslBundle(bundles.getObject().getBundle(properties.sslBundle()));
        }
        ClientHttpRequestFactoryBuilder<?> factory = factories.getIfAvailable(ClientHttpRequestFactoryBuilder::detect);
        URI url = Objects.requireNonNull(properties.url());
        builder.baseUrl(url).requestFactory(factory.build(settings));
        String username = properties.username();
        String password = properties.password();
        if (username != null && password != null) {
            builder.defaultHeaders(headers -> headers.setBasicAuth(username, password));
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return new Server(
                builder.build(),
                JsonMapper.builder().build(),
                () -> new RetryDelays(properties.retries(), properties.timeout()),
                InstantSource.system());
    }

    @Bean
    @ConditionalOnMissingBean
    NamedJobs delayJobRemoteJobs(Server server) {
        return remoteJobs(server);
    }

    /** If the application also has its own jobs, the client can be injected only with a qualifier. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(DelayJobOperations.class)
    static class BesideOwnJobs {

        @Bean(name = "delayJobRemoteJobs", defaultCandidate = false)
        @ConditionalOnMissingBean(name = "delayJobRemoteJobs")
        NamedJobs delayJobRemoteJobs(Server server) {
            return remoteJobs(server);
        }
    }

    private static NamedJobs remoteJobs(Server server) {
        return new RemoteJobs(server, InstantSource.system(), new SecureRandom());
    }

    @Bean
    @ConditionalOnMissingBean
    Answers delayJobAnswers(Server server) {
        return new RemoteAnswers(server);
    }
}
