package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose configuration lacks a part takes no call, instead of any. */
class MissingSecretTest {

    private final WebApplicationContextRunner contexts = new WebApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(WebMvcAutoConfiguration.class, DelayJobHooksAutoConfiguration.class))
            .withUserConfiguration(Callee.class);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delayjob.client.hooks.paths=/hooks/**",
                "delayjob.client.hooks.paths[0]=/hooks/**",
                "delayjob.client.hooks.paths=/a,/b"
            })
    void pathsWithoutASecret_stopTheStart(String paths) {
        contexts.withPropertyValues(paths, "delayjob.client.hooks.sectret=whsec_YWJj")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("Missing delayjob.client.hooks.secret"));
    }

    @Test
    void emptySecret_stopsTheStart() {
        contexts.withPropertyValues("delayjob.client.hooks.paths=/hooks/**", "delayjob.client.hooks.secret=")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Invalid delayjob.client.hooks.secret: must not be empty"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delayjob.client.hooks.max-size=1000",
                "delayjob.client.hooks.secret=whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU="
            })
    void unverifiedRequest_givesNoDelayedCall(String property) {
        contexts.withPropertyValues(property)
                .run(context -> assertThat(MockMvcBuilders.webAppContextSetup(context)
                                .build()
                                .perform(post("/hooks/exports")
                                        .param("id", "f81d4fae-7dec-41d0-a765-00a0c91e6bf6:1:abc")
                                        .param("sentAt", "2030-01-01T00:00:00Z")
                                        .param("attempt", "1")
                                        .param("answerTo", "abc.def"))
                                .andReturn()
                                .getResponse()
                                .getStatus())
                        .isEqualTo(400));
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
    }
}
