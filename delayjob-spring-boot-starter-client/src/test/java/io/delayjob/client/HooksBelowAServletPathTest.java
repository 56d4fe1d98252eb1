package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.UUID;
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
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** The paths of hooks are those of the controllers, even if Spring MVC has a path of its own. */
class HooksBelowAServletPathTest {

    private static final String SECRET = "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";

    @Test
    void signedCall_arrives_andUnsignedCallIsRefused() throws Exception {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Open.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "delayjob.enabled=false",
                        "spring.mvc.servlet.path=/mvc",
                        "delayjob.client.hooks.paths=/hooks/**",
                        "delayjob.client.hooks.secret=" + SECRET,
                        "logging.level.root=warn")
                .run()) {
            URI uri = URI.create("http://localhost:"
                    + application.getEnvironment().getProperty("local.server.port") + "/mvc/hooks/plain");
            String id = UUID.randomUUID() + ":1:m8f3k2xz";
            long now = Instant.now().getEpochSecond();

            assertThat(status(HttpRequest.newBuilder(uri))).isEqualTo(401);
            assertThat(status(HttpRequest.newBuilder(uri.resolve("/mvc/Hooks/plain"))))
                    .as("path in another case")
                    .isEqualTo(401);
            assertThat(status(HttpRequest.newBuilder(uri)
                            .header("webhook-id", id)
                            .header("webhook-timestamp", String.valueOf(now))
                            .header("webhook-signature", new Webhook(SECRET).sign(id, now, "{}"))))
                    .isEqualTo(200);
        }
    }

    private static int status(HttpRequest.Builder call) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        call.POST(HttpRequest.BodyPublishers.ofString("{}")).build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "io.delayjob.rest.RestApiAutoConfiguration")
    static class Open implements WebMvcConfigurer {

        @Override
        public void configurePathMatch(PathMatchConfigurer paths) {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            paths.setPatternParser(parser);
        }

        /** Nothing but the filter protects the hooks. */
        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }

        @Bean
        Hooks hooks() {
            return new Hooks();
        }
    }

    @RestController
    static class Hooks {

        @PostMapping("/hooks/plain")
        String plain() {
            return "called";
        }
    }
}
