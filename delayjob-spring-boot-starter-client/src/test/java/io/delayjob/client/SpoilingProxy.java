package io.delayjob.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy that spoils the answers to the first requests, after the server has acted on them. */
final class SpoilingProxy implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final URI target;
    private final AtomicInteger left;
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    /**
     * @param target the address of the API
     * @param answers number of answers to spoil
     */
    SpoilingProxy(URI target, int answers) throws IOException {
        this.target = target;
        this.left = new AtomicInteger(answers);
        this.server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        server.createContext("/", this::serve);
        server.start();
    }

    URI url() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + target.getPath());
    }

    /** Spoils the answers to the next requests, too. */
    void spoil(int answers) {
        left.set(answers);
    }

    /** Returns the {@code Idempotency-Key} of each request; the text {@code null} if it had none. */
    List<String> keys() {
        return keys;
    }

    private void serve(HttpExchange exchange) throws IOException {
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
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
        exchange.close();
    }

    private HttpResponse<byte[]> pass(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(target.resolve(exchange.getRequestURI()))
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

    @Override
    public void close() {
        server.stop(0);
    }
}
