package io.delayjob.http;

import io.delayjob.spring.AnswerTickets;
import io.delayjob.time.EngineClock;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.client.RestClient;

/** Adds HTTP targets, which call URLs. The properties {@code delayjob.targets.<name>.http} configure such a target. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ImportRuntimeHints(DelayJobHttpAutoConfiguration.BoundProperties.class)
public final class DelayJobHttpAutoConfiguration {

    @Bean
    HttpTargetKind delayJobHttpTargets(
            ObjectProvider<RestClient.Builder> builders,
            ObjectProvider<ClientHttpRequestFactoryBuilder<?>> factories,
            ObjectProvider<HttpClientSettings> settings,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<TargetCustomizer> customizers,
            ObjectProvider<AnswerTickets> tickets,
            ObjectProvider<EngineClock> clock) {
        return new HttpTargetKind(
                new HttpClients(
                        builders,
                        factories,
                        settings,
                        bundles,
                        customizers.orderedStream().toList()),
                tickets::getIfAvailable,
                clock::getObject);
    }

    /** Registers this class for native images, because Spring Boot does not bind it by itself. */
    static final class BoundProperties implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            BindableRuntimeHintsRegistrar.forTypes(HttpTargetProperties.class).registerHints(hints);
        }
    }
}
