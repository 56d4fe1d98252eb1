package io.delayjob.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The other side: an HTTP server on a port of its own that notes requests and answers as it is told. */
final class Receiver implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<Received> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<HttpHandler> answers = new LinkedBlockingQueue<>();

    record Received(String method, URI uri, Map<String, List<String>> headers, String body) {

        String header(String name) {
            List<String> values = headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .flatMap(header -> header.getValue().stream())
                    .toList();
            return values.isEmpty() ? null : String.join(", ", values);
        }
    }

    Receiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Sets the next answer; without one the answer is 200. */
    Receiver answers(int status, String... headers) {
        return answers(exchange -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, -1);
        });
    }

    Receiver answersWith(int status, String body) {
        return answers(exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        });
    }

    Receiver answers(HttpHandler answer) {
        answers.add(answer);
        return this;
    }

    /** Answers with a body that does not end until the caller goes away. */
    Receiver answersEndlessly(int status) {
        return answers(exchange -> {
            exchange.sendResponseHeaders(status, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                byte[] line = "again and again ".repeat(512).getBytes(StandardCharsets.UTF_8);
                while (true) {
                    body.write(line);
                }
            }
        });
    }

    Received next() {
        try {
            Received received = requests.poll(30, TimeUnit.SECONDS);
            if (received == null) {
                throw new AssertionError("No request came.");
            }
            return received;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    int waiting() {
        return requests.size();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(new Received(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    body));
            HttpHandler answer = answers.poll();
            if (answer == null) {
                exchange.sendResponseHeaders(200, -1);
            } else {
                answer.handle(exchange);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
