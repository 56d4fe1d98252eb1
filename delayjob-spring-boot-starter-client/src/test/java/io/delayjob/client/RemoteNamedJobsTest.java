package io.delayjob.client;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.delayjob.NamedJobs;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.store.StoreException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

/** The same over HTTP, as the starter configures it, and what only HTTP can bring. */
class RemoteNamedJobsTest extends NamedJobsContract {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<String> keys = new CopyOnWriteArrayList<>();

    private NamedJobs jobs;

    private static void client(URI url, ContextConsumer<AssertableApplicationContext> use, String... properties) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HttpClientAutoConfiguration.class,
                        RestClientAutoConfiguration.class,
                        DelayJobClientAutoConfiguration.class))
                .withPropertyValues(
                        "delayjob.client.url=" + url,
                        "delayjob.client.insecure=true",
                        "delayjob.client.username=shop",
                        "delayjob.client.password=s3cret")
                .withPropertyValues(properties)
                .run(use);
    }

    @Override
    NamedJobs jobs() {
        if (jobs == null) {
            client(server.url(), context -> jobs = context.getBean(NamedJobs.class));
        }
        return jobs;
    }

    /** A proxy that spoils the answers to the first requests, after the server has acted on them. */
    private HttpServer spoiling(int answers) throws IOException {
        AtomicInteger left = new AtomicInteger(answers);
        HttpServer proxy = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        proxy.createContext("/", exchange -> {
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
            HttpResponse<byte[]> answer = pass(exchange);
            int now = left.getAndDecrement();
            if (now > 0 && now % 2 == 0) {
                exchange.sendResponseHeaders(503, -1);
            } else if (now > 0) {
                exchange.sendResponseHeaders(200, 1_000);
                exchange.getResponseBody().write('{');
            } else {
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(
                        answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
                exchange.getResponseBody().write(answer.body());
            }
            exchange.close();
        });
        proxy.start();
        return proxy;
    }

    private static HttpResponse<byte[]> pass(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        server.url().resolve("/").toString().replaceAll("/$", "") + exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                exchange.getRequestBody().readAllBytes()));
        for (String header : List.of("Authorization", "Content-Type", "Idempotency-Key")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    private static URI url(HttpServer server) {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/delayjob/v1");
    }

    @Test
    void requestWithoutAnswer_isRepeated_andMakesOneJob() throws Exception {
        HttpServer proxy = spoiling(3);
        int before = server.jobs().size();
        try {
            client(url(proxy), context -> {
                JobId id = context.getBean(NamedJobs.class)
                        .schedule("remind")
                        .with(Map.of("orderId", 5))
                        .after(ofHours(1))
                        .id();

                assertThat(keys).hasSize(4).containsOnly(id.toString());
                assertThat(id.value().version()).isEqualTo(7);
                assertThat(server.jobs()).hasSize(before + 1);
            });
        } finally {
            proxy.stop(0);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = OnExisting.class,
            names = {"REPLACE", "POSTPONE"})
    void changeOfAJobByItsKey_hasNoIdAndIsSentOnce(OnExisting change) throws Exception {
        HttpServer proxy = spoiling(1);
        try {
            client(
                    url(proxy),
                    context -> assertThatThrownBy(() -> context.getBean(NamedJobs.class)
                                    .schedule("elsewhere")
                                    .key("once", change)
                                    .after(ofHours(1)))
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    outage -> assertThat(outage.isTransient()).isTrue()));
            assertThat(keys).containsExactly("null");
        } finally {
            proxy.stop(0);
        }
    }

    @Test
    void serverThatNeverAnswers_isAnOutageOfTheStore() throws Exception {
        HttpServer proxy = spoiling(Integer.MAX_VALUE);
        try {
            client(
                    url(proxy),
                    context -> assertThatThrownBy(() -> context.getBean(NamedJobs.class)
                                    .schedule("elsewhere")
                                    .after(ofHours(1)))
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    outage -> assertThat(outage.isTransient()).isTrue())
                            .hasMessageContaining("delayjob server did not answer"),
                    "delayjob.client.retries=1");
        } finally {
            proxy.stop(0);
        }
        assertThat(keys).hasSize(2);
    }

    @Test
    void wrongPassword_isRefusedAndNotTriedAgain() {
        client(
                server.url(),
                context -> assertThatThrownBy(() -> context.getBean(NamedJobs.class)
                                .schedule("elsewhere")
                                .after(ofHours(1)))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                refused -> assertThat(refused.isTransient()).isFalse())
                        .hasMessageContaining("status 401"),
                "delayjob.client.password=wrong");
    }

    @Test
    void nameThatIsNotExposed_isRefused() {
        assertThatThrownBy(() -> jobs().schedule("hidden").now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No handler 'hidden' is exposed");
    }

    @Test
    void chain_isRefused_becauseTheServerTakesSingleJobs() {
        assertThatThrownBy(() -> jobs().schedule("remind").then("thank").now())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("The REST API schedules single jobs");
    }

    /** It has no handlers, and must not say that one is missing. */
    @Test
    void argumentsWithoutNames_areRefused_becauseOnlyTheServerKnowsTheirOrder() {
        assertThatThrownBy(() -> jobs().schedule("remind").with(List.of(42)).now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Unnamed arguments for 'remind': must have names, because only the server knows the order of the handler's parameters; pass them as a map.");
    }

    @Test
    void plainHttp_mustBeAskedFor_andNoSecretIsPrinted() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(RestClientAutoConfiguration.class, DelayJobClientAutoConfiguration.class))
                .withPropertyValues("delayjob.client.url=http://jobs.example.com/delayjob/v1")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("must begin with https"));
        client(
                server.url(),
                context -> assertThat(context.getBean(ClientProperties.class).toString())
                        .doesNotContain("s3cret"));
    }
}
