package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.delayjob.store.StoreException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.json.JsonMapper;

/** The client comes back no earlier than the server asks for, and gives up if that is too late. */
class RetryAfterTest {

    private static final Duration LONGEST = Duration.ofSeconds(3);

    /** Whole seconds, as dates of HTTP. */
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    /** The monotonic times of all requests. */
    private final List<Long> requests = new CopyOnWriteArrayList<>();

    private HttpServer away;
    private volatile String retryAfter = "";
    private volatile int status = 503;

    @BeforeEach
    void start() throws IOException {
        away = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        away.createContext("/", exchange -> {
            requests.add(System.nanoTime());
            if (requests.size() == 1) {
                exchange.getResponseHeaders().add("Retry-After", retryAfter);
                exchange.sendResponseHeaders(status, -1);
            } else {
                byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        away.start();
    }

    @AfterEach
    void stop() {
        away.stop(0);
    }

    private Server server() {
        RestClient http =
                RestClient.create("http://localhost:" + away.getAddress().getPort());
        return new Server(
                http, JsonMapper.builder().build(), () -> new RetryDelays(4, LONGEST), InstantSource.fixed(NOW));
    }

    private static Server.Answer ask(Server server) {
        return server.send(http -> http.get().uri("/jobs"));
    }

    @ParameterizedTest
    @CsvSource({"503, 1", "429, 1", "503, 'Tue, 01 Jan 2030 00:00:01 GMT'"})
    void requestIsRepeated_noEarlierThanTheServerAsksFor(int refusal, String header) {
        status = refusal;
        retryAfter = header;

        assertThat(ask(server()).status()).isEqualTo(200);

        assertThat(requests).hasSize(2);
        assertThat(TimeUnit.NANOSECONDS.toMillis(requests.get(1) - requests.get(0)))
                .isGreaterThanOrEqualTo(1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-5", "", "99999999999", "Mon, 31 Dec 2029 23:59:59 GMT"})
    void headerOfNoUse_isAsIfItWereMissing(String header) {
        retryAfter = header;

        assertThat(ask(server()).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4", "999999999", "Tue, 01 Jan 2030 00:00:04 GMT"})
    void serverThatAsksForTooMuch_isAnOutage_andTheMessageTellsWhen(String header) {
        retryAfter = header;

        assertThatThrownBy(() -> ask(server()))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        outage -> assertThat(outage.isTransient()).isTrue())
                .hasMessageContaining("status 503, try again after " + (header.startsWith("9") ? header : "4") + " s");
        assertThat(requests).hasSize(1);
    }

    @Test
    void requestThatMustNotBeRepeated_isNot() {
        retryAfter = "1";

        assertThatThrownBy(() -> server().sendOnce(http -> http.get().uri("/jobs")))
                .isInstanceOf(StoreException.class);
        assertThat(requests).hasSize(1);
    }
}
