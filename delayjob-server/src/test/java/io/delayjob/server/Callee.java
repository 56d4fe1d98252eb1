package io.delayjob.server;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * A receiver in a process of its own. It verifies signatures, and recognizes repeated calls by their {@code
 * webhook-id}. Its effects are lines of a file. A line is handed to the operating system before the call is answered,
 * so {@code kill -9} loses no effect that a server has heard of.
 */
final class Callee {

    /** The answers to the calls of a job, by the number of the job. */
    enum Fate {
        /** The call has its effect. */
        EFFECT,
        /** The first call is answered by 503 and {@code Retry-After}, a later one has its effect. */
        BUSY_AT_FIRST,
        /** The first call is answered by 500, a later one has its effect. */
        BROKEN_AT_FIRST,
        /** Every call is answered by 400, after which no retry follows. */
        REFUSED,
        /** Every call is answered by 500, so the job runs out of retries. */
        BROKEN;

        static Fate of(long number) {
            return switch ((int) (number % 40)) {
                case 0 -> REFUSED;
                case 1 -> BROKEN;
                case 2, 3, 4, 5 -> BUSY_AT_FIRST;
                case 6, 7 -> BROKEN_AT_FIRST;
                default -> EFFECT;
            };
        }

        boolean hasEffect() {
            return this != REFUSED && this != BROKEN;
        }
    }

    /**
     * A line of the file.
     *
     * @param kind {@code EFFECT}, {@code AGAIN} for a repeated call, {@code FORGED}, or the status of a refused call
     * @param number number of the job, from the call's path
     * @param call the {@code webhook-id}
     * @param micros wall-clock time of the call
     */
    record Line(String kind, long number, String call, long micros) {

        static List<Line> read(Path file) throws IOException {
            String written = Files.exists(file) ? Files.readString(file) : "";
            return written.substring(0, written.lastIndexOf('\n') + 1)
                    .lines()
                    .map(line -> line.split(" "))
                    .map(words -> new Line(words[0], Long.parseLong(words[1]), words[2], Long.parseLong(words[3])))
                    .toList();
        }

        @Override
        public String toString() {
            return kind + " " + number + " " + call + " " + micros;
        }
    }

    private static final int OK = 204;
    private static final int THREADS = 16;

    private final Webhook webhook;
    private final FileOutputStream file;
    private final Set<String> effects = ConcurrentHashMap.newKeySet();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private Callee(String secret, Path path) throws IOException, EmptyWebhookSecretException {
        webhook = new Webhook(secret);
        effects.addAll(new HashSet<>(Line.read(path).stream()
                .filter(line -> line.kind().equals("EFFECT"))
                .map(Line::call)
                .toList()));
        file = new FileOutputStream(path.toFile(), true);
    }

    /** @param arguments port, secret, and the file of the effects */
    public static void main(String[] arguments) throws Exception {
        Callee callee = new Callee(arguments[1], Path.of(arguments[2]));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/", callee::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange;
                InputStream in = exchange.getRequestBody();
                OutputStream out = exchange.getResponseBody()) {
            String path = exchange.getRequestURI().getPath();
            long number = Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
            String body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int status = answer(number, exchange, body);
            if (status == 503) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private int answer(long number, HttpExchange exchange, String body) throws IOException {
        Map<String, List<String>> headers = new HashMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(), values));
        String call = exchange.getRequestHeaders().getFirst("webhook-id");
        try {
            webhook.verify(body, headers);
        } catch (WebhookVerificationException forged) {
            write("FORGED", number, String.valueOf(call));
            return 401;
        }
        boolean first = seen.add(call);
        int refusal = switch (Fate.of(number)) {
            case EFFECT -> OK;
            case BUSY_AT_FIRST -> first ? 503 : OK;
            case BROKEN_AT_FIRST -> first ? 500 : OK;
            case REFUSED -> 400;
            case BROKEN -> 500;
        };
        if (refusal != OK) {
            write(String.valueOf(refusal), number, call);
            return refusal;
        }
        write(effects.add(call) ? "EFFECT" : "AGAIN", number, call);
        return OK;
    }

    private void write(String kind, long number, String call) throws IOException {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        // Each line is one system call at the end of the file, so that lines of several threads do not mix.
        file.write((new Line(kind, number, call, micros) + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
