package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;

/** An application that configures Spring MVC itself ignores beans of type WebMvcConfigurer. */
class OwnMvcTest {

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(Own.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "delayjob.enabled=false",
                        "delayjob.client.hooks.paths=/hooks/**",
                        "delayjob.client.hooks.secret=whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=",
                        "logging.level.root=warn")
                .run();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void forgedCall_isRefused() throws Exception {
        assertThat(forge("/elsewhere").statusCode()).isEqualTo(400);
    }

    @Test
    void forgedCall_isNoOptionalCall() throws Exception {
        assertThat(forge("/optional").body()).isEqualTo("called by nobody");
    }

    private static HttpResponse<String> forge(String path) throws Exception {
        URI forged = URI.create("http://localhost:"
                + application.getEnvironment().getProperty("local.server.port") + path + "?id=forged&attempt=1");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(forged)
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "io.delayjob.rest.RestApiAutoConfiguration")
    static class Own extends WebMvcConfigurationSupport {

        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }

        @Bean
        Elsewhere elsewhere() {
            return new Elsewhere();
        }
    }

    @RestController
    static class Elsewhere {

        @PostMapping("/elsewhere")
        String elsewhere(DelayedCall call) {
            return "called by " + call.id();
        }

        @PostMapping("/optional")
        String optional(Optional<DelayedCall> call) {
            return "called by " + call.map(DelayedCall::id).orElse("nobody");
        }
    }
}
