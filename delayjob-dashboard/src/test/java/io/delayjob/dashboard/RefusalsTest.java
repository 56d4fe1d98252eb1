package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.dashboard.DashboardServingTest.Away;
import io.delayjob.dashboard.DashboardServingTest.Stack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Requests that never reach the endpoint, or that it cannot serve: both web stacks answer alike, with a reason. */
@ExtendWith(OutputCaptureExtension.class)
class RefusalsTest {

    private static final String EXPOSED = "management.endpoints.web.exposure.include=health,delayjobs";

    private static final String UNRESTRICTED = "management.endpoint.delayjobs.access=unrestricted";

    private static final String JSON = "application/json";

    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> send(
            ConfigurableApplicationContext application, String method, String path, String type, String body)
            throws IOException, InterruptedException {
        String management = application.getEnvironment().getProperty("local.management.port");
        String address = management == null ? DashboardServingTest.port(application) : "http://localhost:" + management;
        return http.send(
                HttpRequest.newBuilder(URI.create(address + "/actuator/" + path))
                        .header("Authorization", password(application))
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String password(ConfigurableApplicationContext application) {
        String word = application.getEnvironment().getProperty("test.password", "secret");
        return "Basic " + Base64.getEncoder().encodeToString(("ann:" + word).getBytes(StandardCharsets.UTF_8));
    }

    private static void assertRefused(HttpResponse<String> answer, int status, String reason) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue(JSON);
        assertThat(answer.body()).isEqualTo("{\"reason\":\"" + reason + "\"}");
    }

    @ParameterizedTest
    @CsvSource({"MVC, ''", "MVC, management.server.port=0", "WEBFLUX, ''", "WEBFLUX, management.server.port=0"})
    void changeWithoutCsrfToken_isAnsweredWithTheReason_andLoggedOnce(Stack stack, String port, CapturedOutput output)
            throws Exception {
        try (var application = stack.start(EXPOSED, UNRESTRICTED, port)) {
            String path = "delayjobs/handlers/send-webhook";
            HttpResponse<String> answer = send(application, "POST", path, JSON, "{\"action\":\"pause\"}");
            send(application, "POST", path, JSON, "{\"action\":\"pause\"}");

            assertRefused(
                    answer,
                    403,
                    "Spring Security refused the request: the user's role does not allow the change, or "
                            + "the request lacks the token of Spring Security's CSRF protection. Sign in with a "
                            + "session, get the token from GET …/delayjobs/ui/session of the dashboard, and send "
                            + "it in the header that this answer names. Or ask for a rule for clients without a "
                            + "session.");
            assertThat(output)
                    .containsOnlyOnce("before it reached delayjob's endpoint")
                    .contains("POST /actuator/" + path + " was refused with status 403 before it reached");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void changeWithAWrongPassword_isAnsweredWithTheReason_aReadIsNot(Stack stack, CapturedOutput output)
            throws Exception {
        try (var application = stack.start(EXPOSED, UNRESTRICTED, "test.open=true", "test.password=wrong")) {
            HttpResponse<String> answer =
                    send(application, "DELETE", "delayjobs/jobs/00000000-0000-0000-0000-000000000000", JSON, "");
            assertRefused(
                    answer, 401, "Spring Security refused the request: the user or the password is missing or wrong.");
            assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
            assertThat(output).containsOnlyOnce("was refused with status 401 before it reached");

            HttpResponse<String> read = send(application, "GET", "delayjobs", JSON, "");
            assertThat(read.statusCode()).isEqualTo(401);
            assertThat(read.body()).doesNotContain("reason");
            HttpResponse<String> ofOthers = send(application, "POST", "delayjobsandmore", JSON, "{}");
            assertThat(ofOthers.statusCode()).isEqualTo(401);
            assertThat(ofOthers.body()).doesNotContain("reason");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void changeByAUserWithoutTheRoleOfOperators_isAnsweredByTheEndpoint(Stack stack, CapturedOutput output)
            throws Exception {
        try (var application =
                stack.start(EXPOSED, UNRESTRICTED, "test.open=true", "delayjob.endpoint.operator-roles=OPS")) {
            HttpResponse<String> answer =
                    send(application, "POST", "delayjobs/handlers/send-webhook", JSON, "{\"action\":\"pause\"}");
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body())
                    .isEqualTo(
                            "{\"reason\":\"The caller 'ann' has none of the roles that may change jobs (delayjob.endpoint.operator-roles).\"}");
            assertThat(output).doesNotContain("before it reached");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void changeWhileReadOnly_isAnsweredWithTheProperty(Stack stack) throws Exception {
        try (var application = stack.start(EXPOSED, "test.open=true")) {
            HttpResponse<String> answer =
                    send(application, "POST", "delayjobs/handlers/send-webhook", JSON, "{\"action\":\"pause\"}");
            assertRefused(
                    answer,
                    405,
                    "POST is not allowed here, because the endpoint is read-only by default. To allow "
                            + "changes, set management.endpoint.delayjobs.access=unrestricted.");
            assertThat(answer.headers().firstValue("Allow")).hasValue("GET");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void changeThatCannotBeRead_isAnsweredWithWhatToSend(Stack stack) throws Exception {
        try (var application = stack.start(EXPOSED, UNRESTRICTED, "test.open=true")) {
            String path = "delayjobs/handlers/send-webhook";
            assertRefused(
                    send(application, "PUT", "delayjobs/jobs/1", JSON, "{\"action\":\"run\"}"),
                    405,
                    "PUT is not allowed here: use DELETE, GET, POST.");
            assertRefused(
                    send(application, "POST", path, JSON, "action=pause"),
                    400,
                    "The body is not a JSON object: send a JSON object such as {\\\"action\\\":\\\"run\\\"}.");
            assertRefused(
                    send(application, "POST", path, "application/x-www-form-urlencoded", "action=pause"),
                    415,
                    "Invalid body of type application/x-www-form-urlencoded: must be JSON; send it with the header"
                            + " Content-Type: application/json.");
            assertThat(send(application, "PUT", "health", JSON, "{}").body()).doesNotContain("\"reason\"");
        }
    }

    @ParameterizedTest
    @EnumSource(Stack.class)
    void read_whileTheStoreIsAway_isToldWhenToAskAgain(Stack stack) throws Exception {
        try (var application = stack.start(EXPOSED, UNRESTRICTED, "test.open=true")) {
            assertThat(send(application, "GET", "delayjobs", JSON, "").headers().firstValue("Retry-After"))
                    .isEmpty();
            application.getBean(Away.class).isAway = true;
            HttpResponse<String> answer = send(application, "GET", "delayjobs", JSON, "");
            application.getBean(Away.class).isAway = false;
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("2");
            assertThat(answer.body()).isEqualTo("{\"reason\":\"The database does not answer.\"}");
        }
    }
}
