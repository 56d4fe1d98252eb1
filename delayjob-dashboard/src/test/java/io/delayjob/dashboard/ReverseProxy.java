package io.delayjob.dashboard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes requests on to instances in turn, below a prefix that these do not have. One that does not answer is left out.
 */
final class ReverseProxy implements AutoCloseable {

    /** What the JDK's client sets itself, or must not. */
    private static final Set<String> OWN_HEADERS =
            Set.of("connection", "content-length", "host", "upgrade", "expect", "transfer-encoding", "http2-settings");

    private final String prefix;
    private final List<String> instances;
    private final AtomicInteger turns = new AtomicInteger();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    ReverseProxy(String prefix, List<String> instances) throws IOException {
        this.prefix = prefix;
        this.instances = instances;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext(prefix + "/", this::pass);
        server.start();
    }

    /** The address that browsers know. */
    String address() {
        return "http://localhost:%d%s".formatted(server.getAddress().getPort(), prefix);
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            HttpResponse<byte[]> answer = answer(exchange, body);
            if (answer == null) {
                exchange.sendResponseHeaders(502, -1);
                return;
            }
            answer.headers().map().forEach((name, values) -> {
                if (!OWN_HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> answer(HttpExchange exchange, byte[] body) throws InterruptedException {
        int turn = turns.getAndIncrement();
        for (int i = 0; i < instances.size(); i++) {
            String instance = instances.get((turn + i) % instances.size());
            try {
                return http.send(request(exchange, body, instance), HttpResponse.BodyHandlers.ofByteArray());
            } catch (IOException dead) {
                // The next one may live.
            }
        }
        return null;
    }

    private HttpRequest request(HttpExchange exchange, byte[] body, String instance) {
        String path = exchange.getRequestURI().toString().substring(prefix.length());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(instance + path))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.header("X-Forwarded-Prefix", prefix)
                .header("X-Forwarded-Proto", "http")
                .header("X-Forwarded-Host", exchange.getRequestHeaders().getFirst("Host"))
                .build();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
