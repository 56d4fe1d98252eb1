package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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

    @Test
    void forgedCall_isRefused() throws Exception {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Own.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "delayjob.enabled=false",
                        "delayjob.client.hooks.paths=/hooks/**",
                        "delayjob.client.hooks.secret=whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=",
                        "logging.level.root=warn")
                .run()) {
            URI forged = URI.create("http://localhost:"
                    + application.getEnvironment().getProperty("local.server.port") + "/elsewhere?id=forged&attempt=1");

            assertThat(HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(forged)
                                            .POST(HttpRequest.BodyPublishers.noBody())
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(400);
        }
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
    }
}
