package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Calls of a server's targets arrive only if their signature and age are right. */
class DelayedCallTest {

    private static final String SECRET = secret('a');
    private static final String PREVIOUS = secret('b');
    private static final String ID = "f81d4fae-7dec-41d0-a765-00a0c91e6bf6:3:m8f3k2xz";
    private static final String BODY = "{\"order\":\"Grüße\"}";

    private static final ConfigurableApplicationContext application = new SpringApplicationBuilder(Exports.class)
            .web(WebApplicationType.SERVLET)
            .properties(
                    "server.port=0",
                    "delayjob.enabled=false",
                    "delayjob.store=memory",
                    "delayjob.client.hooks.paths=/hooks/**",
                    "delayjob.client.hooks.secret=" + SECRET,
                    "delayjob.client.hooks.previous-secret=" + PREVIOUS,
                    "delayjob.client.hooks.max-size=1000",
                    "logging.level.root=warn")
            .run();

    private final HttpClient http = HttpClient.newHttpClient();

    private static String secret(char letter) {
        return "whsec_"
                + Base64.getEncoder()
                        .encodeToString(String.valueOf(letter).repeat(32).getBytes(StandardCharsets.US_ASCII));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private HttpResponse<String> call(String path, String body, Map<String, String> headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        "http://localhost:" + application.getEnvironment().getProperty("local.server.port") + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Map<String, String> signed(String secret, Instant at, String body) throws Exception {
        return Map.of(
                "webhook-id",
                ID,
                "webhook-timestamp",
                String.valueOf(at.getEpochSecond()),
                "webhook-signature",
                new Webhook(secret).sign(ID, at.getEpochSecond(), body),
                "delayjob-attempt",
                "2",
                "delayjob-answer-to",
                "https://jobs.example.com/delayjob/v1/answers/abc.def");
    }

    @Test
    void signedCall_arrivesWithItsBody() throws Exception {
        Instant now = Instant.now();

        HttpResponse<String> answer = call("/hooks/exports", BODY, signed(SECRET, now, BODY));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo("f81d4fae-7dec-41d0-a765-00a0c91e6bf6 run 3 attempt 2 answer to abc.def: Grüße");
    }

    @Test
    void signedCall_arrivesAsAnOptionalCall() throws Exception {
        assertThat(call("/hooks/optional", BODY, signed(SECRET, Instant.now(), BODY))
                        .body())
                .isEqualTo(ID);
    }

    @Test
    void callSignedWithThePreviousSecret_arrivesToo() throws Exception {
        assertThat(call("/hooks/exports", BODY, signed(PREVIOUS, Instant.now(), BODY))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void forgedChangedOrOldCall_isRefused() throws Exception {
        Instant now = Instant.now();

        assertThat(call("/hooks/exports", BODY, Map.of()).statusCode()).isEqualTo(401);
        assertThat(call("/hooks/exports", BODY, signed(secret('c'), now, BODY)).statusCode())
                .isEqualTo(401);
        assertThat(call("/hooks/exports", BODY + " ", signed(SECRET, now, BODY)).statusCode())
                .isEqualTo(401);
        assertThat(call("/hooks/exports", BODY, signed(SECRET, now.minusSeconds(330), BODY))
                        .statusCode())
                .isEqualTo(401);
        assertThat(call("/hooks/exports", BODY, signed(SECRET, now.plusSeconds(330), BODY))
                        .statusCode())
                .isEqualTo(401);
        assertThat(call("/hooks/exports", "x".repeat(1_001), signed(SECRET, now, "x".repeat(1_001)))
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void callWhoseSignedHeadersWereChanged_isRefused() throws Exception {
        Instant now = Instant.now();
        Map<String, String> signed = signed(SECRET, now, BODY);

        Map<String, String> changes = Map.of(
                "webhook-id", ID.replace(":3:", ":4:"),
                "webhook-timestamp", String.valueOf(now.getEpochSecond() + 1),
                "webhook-signature", signed.get("webhook-signature").replace("v1,", "v2,"));
        for (Map.Entry<String, String> change : changes.entrySet()) {
            Map<String, String> changed = new HashMap<>(signed);
            changed.put(change.getKey(), change.getValue());
            assertThat(call("/hooks/exports", BODY, changed).statusCode())
                    .as(change.getKey())
                    .isEqualTo(401);
            changed.remove(change.getKey());
            assertThat(call("/hooks/exports", BODY, changed).statusCode())
                    .as("without " + change.getKey())
                    .isEqualTo(401);
        }
    }

    /** The signature covers the id, so that a receiver who remembers it knows a repetition. */
    @Test
    void callThatIsReplayedWithinItsAge_hasTheSameId() throws Exception {
        Map<String, String> signed = signed(SECRET, Instant.now(), BODY);

        assertThat(call("/hooks/exports", BODY, signed).body())
                .isEqualTo(call("/hooks/exports", BODY, signed).body())
                .startsWith("f81d4fae-7dec-41d0-a765-00a0c91e6bf6 run 3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/hooks/exports/",
                "/hooks;a=b/exports",
                "/%68ooks/exports",
                "/hooks/../hooks/exports",
                "/HOOKS/exports"
            })
    void otherSpellingsOfThePath_needASignature_too(String path) throws Exception {
        assertThat(call(path, BODY, Map.of()).statusCode()).isIn(400, 401, 403, 404);
    }

    @Test
    void otherPaths_areGuardedAsBefore() throws Exception {
        assertThat(call("/elsewhere", BODY, signed(SECRET, Instant.now(), BODY)).statusCode())
                .isIn(401, 403);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "io.delayjob.rest.RestApiAutoConfiguration")
    static class Exports {

        @Bean
        Hooks hooks() {
            return new Hooks();
        }
    }

    record Export(String order) {}

    @RestController
    static class Hooks {

        @PostMapping("/hooks/exports")
        String export(@RequestBody Export export, DelayedCall call) {
            return "%s run %d attempt %d answer to %s: %s"
                    .formatted(call.job(), call.run(), call.attempt(), call.answerTo(), export.order());
        }

        @PostMapping("/hooks/optional")
        String optional(Optional<DelayedCall> call) {
            return call.map(DelayedCall::id).orElse("nobody");
        }

        @PostMapping("/elsewhere")
        String elsewhere(DelayedCall call) {
            return call.id();
        }
    }
}
