package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Nothing verifies calls in a WebFlux application, so that nothing there is taken for a verified call. */
class WebFluxHooksTest {

    private final ReactiveWebApplicationContextRunner contexts = new ReactiveWebApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(WebFluxAutoConfiguration.class, DelayJobReactiveHooksAutoConfiguration.class))
            .withUserConfiguration(Callee.class);

    @Test
    void pathsOfHooks_stopTheStart() {
        contexts.withPropertyValues(
                        "delayjob.client.hooks.paths=/hooks/**",
                        "delayjob.client.hooks.secret=whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("Calls are verified in Spring MVC applications only"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"exports", "exports-later"})
    void request_isNotTakenForAVerifiedCall(String hook) {
        contexts.run(context -> WebTestClient.bindToApplicationContext(context)
                .build()
                .post()
                .uri("/hooks/" + hook
                        + "?id=f81d4fae-7dec-41d0-a765-00a0c91e6bf6:1:abc&sentAt=2030-01-01T00:00:00Z&attempt=1")
                .exchange()
                .expectStatus()
                .isBadRequest());
    }

    @Configuration(proxyBeanMethods = false)
    static class Callee {

        @Bean
        Hooks hooks() {
            return new Hooks();
        }
    }

    @RestController
    static class Hooks {

        @PostMapping("/hooks/exports")
        void export(DelayedCall call) {}

        @PostMapping("/hooks/exports-later")
        Mono<Void> exportLater(Mono<DelayedCall> call) {
            return call.then();
        }
    }
}
