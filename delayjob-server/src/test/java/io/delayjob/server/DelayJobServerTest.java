package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpServer;
import io.delayjob.messaging.QpidBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The server as it is shipped: a request becomes a signed call of a target. */
@Timeout(120)
class DelayJobServerTest {

    private static final String SECRET = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=";

    private final HttpClient http = HttpClient.newHttpClient();

    private record Call(String path, Map<String, List<String>> headers, String body) {}

    private static ConfigurableApplicationContext start(String... arguments) {
        Map<String, String> all = new HashMap<>(Map.of(
                "server.port", "0",
                "spring.datasource.url", "jdbc:h2:mem:server-" + UUID.randomUUID(),
                "logging.level.root", "warn"));
        for (String argument : arguments) {
            all.put(argument.substring(0, argument.indexOf('=')), argument.substring(argument.indexOf('=') + 1));
        }
        return SpringApplication.run(
                DelayJobServer.class,
                all.entrySet().stream()
                        .map(each -> "--" + each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new));
    }

    @Test
    void withoutUsersAndTokens_theServerDoesNotStart() {
        assertThat(catchThrowable(DelayJobServerTest::start))
                .rootCause()
                .hasMessageContaining("there is no way to authenticate");
    }

    @Test
    void submittedJob_becomesASignedCall_andOtherCallersAreRefused() throws Exception {
        BlockingQueue<Call> calls = new ArrayBlockingQueue<>(10);
        HttpServer billing = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        billing.createContext("/", exchange -> {
            Map<String, List<String>> headers = new HashMap<>();
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(), values));
            calls.add(new Call(
                    exchange.getRequestURI().getPath(),
                    headers,
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        billing.start();
        try (ConfigurableApplicationContext server = start(
                "spring.security.user.name=shop",
                "spring.security.user.password=s3cret",
                "spring.security.user.roles=delayjob:submit,delayjob:read",
                "delayjob.targets.billing.http.url=http://localhost:"
                        + billing.getAddress().getPort() + "/api",
                "delayjob.targets.billing.http.insecure=true",
                "delayjob.targets.billing.http.secret=" + SECRET)) {
            String root = "http://localhost:" + server.getEnvironment().getProperty("local.server.port");

            HttpResponse<String> made = post(
                    root,
                    "{\"name\":\"billing\",\"arguments\":{\"path\":\"/remind\",\"body\":{\"order\":42}},\"after\":\"PT0.5S\"}");

            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            Call call = calls.poll(60, TimeUnit.SECONDS);
            assertThat(call).isNotNull();
            assertThat(call.path()).isEqualTo("/api/remind");
            assertThat(call.body()).isEqualTo("{\"order\":42}");
            new Webhook(SECRET).verify(call.body(), call.headers());
            assertThat(post(root, "{\"name\":\"unknown\"}").statusCode()).isEqualTo(404);
            assertThat(get(root + "/actuator/health").statusCode()).isEqualTo(200);
            for (String path :
                    List.of("/delayjob/v1/jobs?name=billing", "/actuator/delayjobs", "/actuator/prometheus", "/")) {
                assertThat(get(root + path).statusCode()).as(path).isEqualTo(401);
            }
            assertThat(http.send(signedIn(root + "/actuator/delayjobs").build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .as("a caller of the API is no operator")
                    .isEqualTo(403);
        } finally {
            billing.stop(0);
        }
    }

    @Test
    void submittedJob_becomesAMessage() throws Exception {
        try (QpidBroker broker = new QpidBroker();
                ConfigurableApplicationContext server = start(
                        "spring.security.user.name=shop",
                        "spring.security.user.password=s3cret",
                        "spring.security.user.roles=delayjob:submit",
                        "spring.rabbitmq.addresses=" + broker.url(),
                        "delayjob.targets.exports.rabbit.routing-key=exports",
                        "delayjob.targets.invoices.kafka.topic=invoices")) {
            server.getBean(AmqpAdmin.class).declareQueue(new Queue("exports"));
            String root = "http://localhost:" + server.getEnvironment().getProperty("local.server.port");

            HttpResponse<String> made =
                    post(root, "{\"name\":\"exports\",\"arguments\":{\"body\":{\"order\":42}},\"after\":\"PT0.1S\"}");

            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            Message message = server.getBean(RabbitTemplate.class).receive("exports", 60_000);
            assertThat(message).isNotNull();
            assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).isEqualTo("{\"order\":42}");
            assertThat(post(root, "{\"name\":\"invoices\",\"after\":\"P1D\"}").statusCode())
                    .as("a target on Kafka")
                    .isEqualTo(201);
            assertThat(get(root + "/actuator/health").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void chainOfCalls_comesInItsOrder_andTheLastOneAlsoAfterAFailure() throws Exception {
        BlockingQueue<String> calls = new ArrayBlockingQueue<>(10);
        HttpServer billing = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        billing.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            calls.add(path);
            exchange.sendResponseHeaders(path.equals("/refused") ? 400 : 204, -1);
            exchange.close();
        });
        billing.start();
        try (ConfigurableApplicationContext server = start(
                "spring.security.user.name=shop",
                "spring.security.user.password=s3cret",
                "spring.security.user.roles=delayjob:submit",
                "delayjob.targets.billing.http.url=http://localhost:"
                        + billing.getAddress().getPort(),
                "delayjob.targets.billing.http.insecure=true")) {
            String root = "http://localhost:" + server.getEnvironment().getProperty("local.server.port");

            HttpResponse<String> made = post(root, """
                    {"name": "billing", "arguments": {"path": "/first"}, "then": [
                      {"name": "billing", "arguments": {"path": "/refused"}},
                      {"name": "billing", "arguments": {"path": "/cleanup"}, "always": true},
                      {"name": "billing", "arguments": {"path": "/last"}}]}""");

            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            for (String path : List.of("/first", "/refused", "/cleanup", "/last")) {
                assertThat(calls.poll(60, TimeUnit.SECONDS)).isEqualTo(path);
            }
        } finally {
            billing.stop(0);
        }
    }

    @Test
    void jobThatFollowsAGroupOfCalls_comesAfterAllOfThem() throws Exception {
        BlockingQueue<String> calls = new ArrayBlockingQueue<>(10);
        HttpServer billing = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        billing.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            calls.add(path);
            exchange.sendResponseHeaders(path.equals("/refused") ? 400 : 204, -1);
            exchange.close();
        });
        billing.start();
        try (ConfigurableApplicationContext server = start(
                "spring.security.user.name=shop",
                "spring.security.user.password=s3cret",
                "spring.security.user.roles=delayjob:submit,delayjob:read",
                "delayjob.targets.billing.http.url=http://localhost:"
                        + billing.getAddress().getPort(),
                "delayjob.targets.billing.http.insecure=true")) {
            String root = "http://localhost:" + server.getEnvironment().getProperty("local.server.port");
            String group = root + "/delayjob/v1/groups/import-42";

            for (String path : List.of("/row", "/row", "/refused")) {
                assertThat(post(
                                        root,
                                        "{\"name\":\"billing\",\"arguments\":{\"path\":\"%s\"},\"group\":\"import-42\"}"
                                                .formatted(path))
                                .statusCode())
                        .isEqualTo(201);
            }
            HttpResponse<String> closed =
                    postTo(group + "/when-all-ended", "{\"name\":\"billing\",\"arguments\":{\"path\":\"/done\"}}");

            assertThat(closed.statusCode()).as(closed.body()).isEqualTo(200);
            List<String> paths = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                paths.add(calls.poll(60, TimeUnit.SECONDS));
            }
            assertThat(paths).containsOnlyOnce("/refused", "/done").endsWith("/done");
            assertThat(http.send(signedIn(group).build(), HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("\"state\":\"ENDED\",\"begun\":3,\"finished\":2,\"failed\":1,\"cancelled\":0");
        } finally {
            billing.stop(0);
        }
    }

    @Test
    void receiverOfTheGuide_verifiesTheCall() throws Exception {
        Process python = null;
        int port = freePort();
        Path script = Files.createTempFile("billing", ".py");
        try (ConfigurableApplicationContext server = start(
                "spring.security.user.name=shop",
                "spring.security.user.password=s3cret",
                "spring.security.user.roles=delayjob:submit",
                "delayjob.targets.billing.http.url=http://localhost:" + port,
                "delayjob.targets.billing.http.insecure=true",
                "delayjob.targets.billing.http.secret=" + SECRET)) {
            Files.writeString(script, block("python"));
            ProcessBuilder builder = new ProcessBuilder("python3", script.toString()).redirectErrorStream(true);
            builder.environment().put("BILLING_SECRET", SECRET);
            builder.environment().put("PORT", String.valueOf(port));
            try {
                python = builder.start();
            } catch (IOException absent) {
                if (Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_TOOLS"))) {
                    throw absent;
                }
                Assumptions.abort("Python 3 is not installed.");
            }

            post(
                    "http://localhost:" + server.getEnvironment().getProperty("local.server.port"),
                    "{\"name\":\"billing\",\"arguments\":{\"path\":\"/remind\",\"body\":{\"order\":42}},\"retry\":\"gaps:PT0.5S,PT1S,PT2S,PT4S,PT8S,PT16S\"}");

            try (BufferedReader output = python.inputReader()) {
                assertThat(output.lines()
                                .filter(line -> line.contains("/remind {\"order\":42}"))
                                .findFirst())
                        .as("what the receiver prints")
                        .isPresent();
            }
        } finally {
            if (python != null) {
                python.destroyForcibly();
            }
            Files.delete(script);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Returns the only block of this language in the guide. */
    private static String block(String language) throws IOException {
        String page = Files.readString(Path.of("../docs/server.md"));
        String begin = "```" + language + "\n";
        int from = page.indexOf(begin) + begin.length();
        return page.substring(from, page.indexOf("```", from));
    }

    private HttpResponse<String> post(String root, String body) throws Exception {
        return postTo(root + "/delayjob/v1/jobs", body);
    }

    private HttpResponse<String> postTo(String url, String body) throws Exception {
        return http.send(
                signedIn(url)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder signedIn(String url) {
        String credentials = Base64.getEncoder().encodeToString("shop:s3cret".getBytes(StandardCharsets.US_ASCII));
        return HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Basic " + credentials);
    }

    private HttpResponse<String> get(String url) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
