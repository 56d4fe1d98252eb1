package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.actuate.endpoint.EndpointApplication.Orders;
import io.delayjob.job.JobId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;

/**
 * What a person reads at the other end of {@code curl} whose change is refused: on a real server, behind Spring
 * Security.
 */
@ExtendWith(OutputCaptureExtension.class)
class RefusedRequestsTest {

    private static final String UNRESTRICTED = "management.endpoint.delayjobs.access=unrestricted";

    @Test
    void rightPassword_isEnoughWithTheDocumentedSecurity() throws Exception {
        try (Server server = new Server(Guarded.class, UNRESTRICTED)) {
            assertThat(server.post("{\"action\":\"run\"}", "application/json").statusCode())
                    .isEqualTo(200);
        }
    }

    /** What the page says of applications that have only Spring Boot's own security. */
    @ParameterizedTest
    @ValueSource(strings = {"", "management.server.port=0"})
    void rightPasswordWithoutCsrfToken_isRefusedBySpringSecurity_andTheClientAndTheLogReadWhy(
            String port, CapturedOutput output) throws Exception {
        try (Server server = new Server(Application.class, UNRESTRICTED, port)) {
            HttpResponse<String> answer = server.post("{\"action\":\"run\"}", "application/json");
            server.post("{\"action\":\"run\"}", "application/json");

            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(answer.body())
                    .isEqualTo("{\"reason\":\"Spring Security refused the request: the user's role does not "
                            + "allow the change, or the request lacks the token of Spring Security's CSRF "
                            + "protection. Sign in with a session, get the token from GET "
                            + "…/delayjobs/ui/session of the dashboard, and send it in the header that "
                            + "this answer names. Or ask for a rule for clients without a session.\"}");
            assertThat(output)
                    .containsOnlyOnce("before it reached delayjob's endpoint")
                    .contains("POST /actuator/delayjobs/jobs/" + server.job
                            + " was refused with status 403 before it reached")
                    .contains("CSRF protection", "'Behind Spring Security' in docs/operations.md");
        }
    }

    @Test
    void requestsThatPass_orChangeNothing_orAreOfOthers_areNotLogged(CapturedOutput output) throws Exception {
        try (Server server = new Server(Guarded.class, UNRESTRICTED)) {
            server.post("{\"action\":\"run\"}", "application/json");
            server.post("action=run", "application/json");
            server.sendTo("POST", "/actuator/delayjobsandmore", "{}", "application/json");
            server.password = "wrong";

            assertThat(server.send("GET", "", "application/json").statusCode()).isEqualTo(401);
            assertThat(output).doesNotContain("before it reached");

            HttpResponse<String> refused = server.send("DELETE", "", "application/json");
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
            assertThat(refused.body())
                    .isEqualTo("{\"reason\":\"Spring Security refused the request: the user or the password "
                            + "is missing or wrong.\"}");
            HttpResponse<String> ofOthers =
                    server.sendTo("POST", "/actuator/delayjobsandmore", "{}", "application/json");
            assertThat(ofOthers.body()).doesNotContain("reason");
            assertThat(output)
                    .contains("DELETE /actuator/delayjobs/jobs/" + server.job + " was refused with status 401 before");
        }
    }

    @Test
    void changeWhileReadOnly_isToldWhichPropertyAllowsIt() throws Exception {
        try (Server server = new Server(Guarded.class)) {
            HttpResponse<String> answer = server.post("{\"action\":\"run\"}", "application/json");

            assertThat(answer.statusCode()).isEqualTo(405);
            assertThat(answer.headers().firstValue("Allow")).hasValue("GET");
            assertThat(answer.body())
                    .isEqualTo("{\"reason\":\"POST is not allowed here, because the endpoint is read-only "
                            + "by default. To allow changes, set "
                            + "management.endpoint.delayjobs.access=unrestricted.\"}");
        }
    }

    @Test
    void changeByAMethodThatIsNone_isToldWhichThereAre() throws Exception {
        try (Server server = new Server(Guarded.class, UNRESTRICTED)) {
            HttpResponse<String> answer = server.send("PUT", "{\"action\":\"run\"}", "application/json");

            assertThat(answer.statusCode()).isEqualTo(405);
            assertThat(answer.body()).isEqualTo("{\"reason\":\"PUT is not allowed here: use DELETE, GET, POST.\"}");
        }
    }

    @Test
    void bodyThatIsNoJson_isToldWhatToSend() throws Exception {
        try (Server server = new Server(Guarded.class, UNRESTRICTED)) {
            HttpResponse<String> answer = server.post("action=run", "application/json");

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body())
                    .isEqualTo("{\"reason\":\"The body is not a JSON object: send a JSON object such as "
                            + "{\\\"action\\\":\\\"run\\\"}.\"}");
        }
    }

    @Test
    void bodyOfAnotherType_isToldWhichToSend() throws Exception {
        try (Server server = new Server(Guarded.class, UNRESTRICTED)) {
            HttpResponse<String> answer = server.post("action=run", "application/x-www-form-urlencoded");

            assertThat(answer.statusCode()).isEqualTo(415);
            assertThat(answer.body())
                    .isEqualTo(
                            "{\"reason\":\"Invalid body of type application/x-www-form-urlencoded: must be JSON; send it with the header Content-Type: application/json.\"}");
        }
    }

    @Test
    void endpointOnAPortOfItsOwn_answersWithTheReasonToo() throws Exception {
        try (Server server = new Server(Guarded.class, "management.server.port=0")) {
            HttpResponse<String> answer = server.post("{\"action\":\"run\"}", "application/json");

            assertThat(answer.statusCode()).isEqualTo(405);
            assertThat(answer.body()).contains("management.endpoint.delayjobs.access=unrestricted");
        }
    }

    @Test
    void requestOfTheApplication_isNoneOfItsBusiness() throws Exception {
        try (Server server = new Server(Guarded.class, UNRESTRICTED)) {
            HttpResponse<String> answer = server.sendTo("PUT", "/actuator/health", "{}", "application/json");

            assertThat(answer.body()).doesNotContain("reason");
        }
    }

    @Test
    void documentedSecurity_isTheOneThatIsTestedHere() throws Exception {
        assertThat(chain(Path.of("../docs/operations.md")))
                .isEqualTo(chain(Path.of(
                        "src/test/java/io/delayjob/actuate/endpoint",
                        RefusedRequestsTest.class.getSimpleName() + ".java")));
    }

    /** The filter chain of a file, without white space. */
    private static String chain(Path file) throws IOException {
        String text = Files.readString(file).replaceAll("\\s", "");
        int start = text.lastIndexOf("SecurityFilterChainjobsEndpoint(");
        return text.substring(start, text.indexOf(".build();", start));
    }

    /** An application on a port of its own, and a client that knows the password. */
    private static final class Server implements AutoCloseable {

        private final ConfigurableApplicationContext context;
        private final HttpClient client = HttpClient.newHttpClient();
        private final JobId job;
        private String password = "secret";

        Server(Class<?> security, String... properties) {
            context = new SpringApplicationBuilder(Application.class, security)
                    .web(WebApplicationType.SERVLET)
                    .properties(
                            "server.port=0",
                            "delayjob.store=memory",
                            "spring.main.banner-mode=off",
                            "spring.security.user.name=ann",
                            "spring.security.user.password=secret",
                            "spring.security.user.roles=OPS",
                            "management.endpoints.web.exposure.include=health,delayjobs")
                    .properties(properties)
                    .run();
            job = context.getBean(DelayJobOperations.class)
                    .schedule(Orders::cancel)
                    .with(1L)
                    .after(Duration.ofHours(1))
                    .id();
        }

        HttpResponse<String> post(String body, String type) throws IOException, InterruptedException {
            return send("POST", body, type);
        }

        HttpResponse<String> send(String method, String body, String type) throws IOException, InterruptedException {
            return sendTo(method, "/actuator/delayjobs/jobs/" + job, body, type);
        }

        HttpResponse<String> sendTo(String method, String path, String body, String type)
                throws IOException, InterruptedException {
            String port = context.getEnvironment()
                    .getProperty(
                            "local.management.port", context.getEnvironment().getRequiredProperty("local.server.port"));
            String credentials = Base64.getEncoder().encodeToString(("ann:" + password).getBytes());
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                            .header("Authorization", "Basic " + credentials)
                            .header("Content-Type", type)
                            .method(method, BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {

        /** Hashing would take most of the tests' time. */
        @Bean
        @SuppressWarnings("deprecation")
        PasswordEncoder passwordEncoder() {
            return NoOpPasswordEncoder.getInstance();
        }
    }

    /** As docs/operations.md has it. */
    @Configuration(proxyBeanMethods = false)
    static class Guarded {

        @Bean
        @Order(1)
        SecurityFilterChain jobsEndpoint(HttpSecurity http) throws Exception {
            return http.securityMatcher("/actuator/delayjobs/**")
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET)
                            .hasAnyRole("SUPPORT", "OPS")
                            .anyRequest()
                            .hasRole("OPS"))
                    .httpBasic(Customizer.withDefaults())
                    .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }
}
