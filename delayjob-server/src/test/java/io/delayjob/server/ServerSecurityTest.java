package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/**
 * Every path of the server, as Spring MVC knows them: without credentials, with the right authority, and with a wrong
 * one.
 */
class ServerSecurityTest {

    private static final String API = "/delayjob/v1";
    private static final String PASSWORD = "s3cret";

    private static final ConfigurableApplicationContext server = new SpringApplicationBuilder(
                    DelayJobServer.class, Users.class)
            .run(
                    "--server.port=0",
                    "--spring.datasource.url=jdbc:h2:mem:server-" + UUID.randomUUID(),
                    "--delayjob.answers.secret=YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=",
                    "--management.endpoint.delayjobs.access=unrestricted",
                    "--logging.level.root=warn");

    private final HttpClient http = HttpClient.newHttpClient();

    private record Request(String method, String path) {

        boolean isOpen() {
            return path.startsWith("/actuator/health") || path.equals("/error");
        }

        boolean isOfTheApi() {
            return path.startsWith(API + "/");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void pathsOfAllParts_areAmongThoseThatAreTried() {
        assertThat(requests().map(Request::path))
                .contains(
                        API + "/jobs",
                        API + "/jobs/x/retry",
                        API + "/answers/x",
                        API + "/openapi.json",
                        "/actuator",
                        "/actuator/prometheus",
                        "/actuator/delayjobs",
                        "/actuator/delayjobs/ui/x");
    }

    @Test
    void withoutCredentials_onlyHealthIsShown() {
        requests()
                .filter(request -> !request.isOpen())
                .forEach(request ->
                        assertThat(status(null, request)).as(request.toString()).isIn(401, 403));
        assertThat(status(null, new Request("GET", "/actuator/health"))).isEqualTo(200);
    }

    @Test
    void withAWrongPassword_nothingIsShown() {
        requests()
                .forEach(request -> assertThat(status("intruder", request))
                        .as(request.toString())
                        .isIn(401, 403));
    }

    @Test
    void withoutAnyAuthority_onlyHealthIsShown() {
        requests()
                .filter(request -> !request.isOpen())
                .forEach(request -> assertThat(status("nobody", request))
                        .as(request.toString())
                        .isEqualTo(403));
    }

    @Test
    void callersOfTheApi_areNoOperators() {
        requests().filter(request -> !request.isOpen()).forEach(request -> {
            if (request.isOfTheApi()) {
                assertThat(status("caller", request)).as(request.toString()).isNotIn(401, 403);
            } else {
                assertThat(status("caller", request)).as(request.toString()).isEqualTo(403);
            }
        });
    }

    @Test
    void operators_areNoCallersOfTheApi() {
        requests().filter(request -> !request.isOpen()).forEach(request -> {
            if (request.isOfTheApi()) {
                assertThat(status("operator", request)).as(request.toString()).isEqualTo(403);
            } else if (request.method().equals("GET")) {
                assertThat(status("operator", request)).as(request.toString()).isNotIn(401, 403);
            } else {
                assertThat(status("operator", request))
                        .as("%s, without the token against forged requests", request)
                        .isEqualTo(403);
            }
        });
    }

    /** Returns a request for each path and method that Spring MVC knows. */
    private static Stream<Request> requests() {
        Set<Request> requests =
                new TreeSet<>((one, other) -> (one.path() + one.method()).compareTo(other.path() + other.method()));
        for (RequestMappingInfoHandlerMapping mapping :
                server.getBeansOfType(RequestMappingInfoHandlerMapping.class).values()) {
            for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
                Set<String> methods = info.getMethodsCondition().getMethods().stream()
                        .map(RequestMethod::name)
                        .collect(Collectors.toSet());
                for (String path : info.getPatternValues()) {
                    for (String method : methods.isEmpty() ? Set.of("GET", "POST") : methods) {
                        requests.add(new Request(method, concrete(path)));
                    }
                }
            }
        }
        server.getBeansOfType(AbstractUrlHandlerMapping.class).values().stream()
                .flatMap(mapping -> mapping.getHandlerMap().keySet().stream())
                .forEach(path -> requests.add(new Request("GET", concrete(path))));
        return requests.stream()
                // Tomcat answers these itself.
                .filter(request -> !request.method().equals("TRACE"));
    }

    private static String concrete(String path) {
        return path.replaceAll("\\{[^}]+}|\\*\\*?", "x");
    }

    private int status(String user, Request request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://localhost:"
                        + server.getEnvironment().getProperty("local.server.port") + request.path()))
                .header("Content-Type", "application/json")
                .method(request.method(), HttpRequest.BodyPublishers.ofString("{}"));
        if (user != null) {
            builder.header(
                    "Authorization",
                    "Basic "
                            + Base64.getEncoder()
                                    .encodeToString((user + ":" + PASSWORD).getBytes(StandardCharsets.US_ASCII)));
        }
        try {
            return http.send(builder.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (Exception failed) {
            throw new AssertionError(request.toString(), failed);
        }
    }

    /**
     * Handed to the one application that is to have them: as a configuration the scan of other servers would find it.
     */
    static class Users {

        /** Hashing would take most of the tests' time. */
        @Bean
        @SuppressWarnings("deprecation")
        PasswordEncoder passwordEncoder() {
            return NoOpPasswordEncoder.getInstance();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    user("caller", "delayjob:submit", "delayjob:read", "delayjob:change", "delayjob:answer"),
                    user("operator", "delayjob:operate"),
                    user("nobody", "something:else"));
        }

        private static UserDetails user(String name, String... authorities) {
            return User.withUsername(name)
                    .password(PASSWORD)
                    .authorities(authorities)
                    .build();
        }
    }
}
