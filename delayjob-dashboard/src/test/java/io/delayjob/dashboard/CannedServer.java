package io.delayjob.dashboard;

import static io.delayjob.dashboard.Scene.json;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves the page with canned answers of the endpoint, so that a browser meets any state of a cluster at once. Run as a
 * program, it prints its address and serves until it is stopped. There are the scenes rich, hostile and empty.
 */
public final class CannedServer implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(tools.jackson.databind.cfg.DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(tools.jackson.databind.cfg.DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .build();

    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");

    private static final Pattern PATH = Pattern.compile("/(\\w+)/actuator/delayjobs/?(.*)");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Path files;
    private final Instant started = Clock.systemUTC().instant();
    private final List<String> changes = new CopyOnWriteArrayList<>();

    /** Answer that all requests of the API get for a while, or those of one path. */
    private volatile @Nullable Busy busy;

    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final Map<String, List<Instant>> asked = new ConcurrentHashMap<>();

    /**
     * A refusal.
     *
     * @param path path of the requests; {@code null} for all
     * @param retryAfter header of the answer; {@code null} for none
     */
    private record Busy(
            @Nullable String path, int status, @Nullable String retryAfter) {}

    CannedServer(int port, Path files) throws IOException {
        this.files = files;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** Serves the page of this build, at a free port. */
    static CannedServer start() throws IOException {
        return start(0);
    }

    static CannedServer start(int port) throws IOException {
        try {
            return new CannedServer(
                    port, Path.of(PageFile.class.getResource("ui/").toURI()));
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    public static void main(String[] arguments) throws IOException {
        CannedServer server = new CannedServer(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
        System.out.println(server.page("rich"));
    }

    /** The address of the page, below which its pages are query strings. */
    String page(String scene) {
        return "http://localhost:%d/%s/actuator/delayjobs/ui/".formatted(port(), scene);
    }

    /** From now on all requests of the API get this status. */
    void refuse(int status) {
        busy = new Busy(null, status, null);
    }

    /** From now on the requests of a path get 503, and are told when to ask again. */
    void refuse(String path, int retryAfterSeconds) {
        asked.clear();
        busy = new Busy(path, 503, String.valueOf(retryAfterSeconds));
    }

    /** From now on the requests of a path get no answer, until {@link #answer()}. */
    void hold(String path) {
        held.put(path, new CountDownLatch(1));
    }

    /** From now on all requests are answered. */
    void answer() {
        busy = null;
        held.values().forEach(CountDownLatch::countDown);
        held.clear();
    }

    /** Times at which a path was asked for since it was refused. */
    List<Instant> asked(String path) {
        return List.copyOf(asked.getOrDefault(path, List.of()));
    }

    /** What the page has changed, one {@code METHOD path body} each. */
    List<String> changes() {
        return changes;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = PATH.matcher(exchange.getRequestURI().getPath());
            if (!path.matches()) {
                send(exchange, 404, "text/plain", new byte[0]);
            } else if (path.group(2).startsWith("ui/") && !path.group(2).equals("ui/session")) {
                file(exchange, path.group(2).substring("ui/".length()));
            } else {
                answer(exchange, path.group(1), path.group(2));
            }
        }
    }

    private void answer(HttpExchange exchange, String scene, String path) throws IOException {
        asked.computeIfAbsent(path, unasked -> new CopyOnWriteArrayList<>())
                .add(Clock.systemUTC().instant());
        CountDownLatch hold = held.get(path);
        if (hold != null) {
            try {
                hold.await();
            } catch (InterruptedException closed) {
                return;
            }
        }
        Busy refusal = busy;
        if (refusal == null || (refusal.path != null && !refusal.path.equals(path))) {
            api(exchange, scene, path);
            return;
        }
        if (refusal.retryAfter != null) {
            exchange.getResponseHeaders().set("Retry-After", refusal.retryAfter);
        }
        send(
                exchange,
                refusal.status,
                "application/json",
                JSON.writeValueAsBytes(json("reason", "The job store is away.")));
    }

    private void file(HttpExchange exchange, String name) throws IOException {
        Path file = files.resolve(name.isEmpty() ? "index.html" : name);
        if (!Files.exists(file)) {
            send(exchange, 404, "text/plain", new byte[0]);
            return;
        }
        String fileName = file.getFileName().toString();
        exchange.getResponseHeaders()
                .set(
                        "Content-Security-Policy",
                        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        send(exchange, 200, TYPES.get(fileName.substring(fileName.lastIndexOf('.') + 1)), Files.readAllBytes(file));
    }

    private void api(HttpExchange exchange, String sceneName, String path) throws IOException {
        Scene scene = switch (sceneName) {
            case "hostile" -> new HostileScene();
            case "empty" -> new EmptyScene();
            default -> new Scene();
        };
        Instant now =
                Scene.BEGIN.plus(Duration.between(started, Clock.systemUTC().instant()));
        if (!exchange.getRequestMethod().equals("GET")) {
            change(exchange, path);
            return;
        }
        Map<String, String> query = query(exchange);
        Object answer = switch (path) {
            case "ui/session" -> scene.session(true);
            case "pulse" -> scene.pulse(now, cursor(query.get("after")), Boolean.parseBoolean(query.get("wheel")));
            case "minutes" ->
                scene.minutes(
                        Instant.parse(query.get("from")),
                        query.containsKey("until") ? Instant.parse(query.get("until")) : now,
                        duration(query.getOrDefault("step", "1m")));
            case "due" ->
                scene.due(
                        Instant.parse(query.get("from")),
                        duration(query.getOrDefault("width", "1m")),
                        Integer.parseInt(query.getOrDefault("buckets", "60")));
            case "failures" -> scene.failures(Instant.parse(query.get("since")), now);
            case "groups" -> scene.groups();
            case "handlers" -> scene.handlers();
            case "queues" -> scene.queues();
            case "around" ->
                json(
                        "at", now,
                        "running", scene.jobs().page(now, Map.of("state", "RUNNING", "order", "DUE", "limit", "8")),
                        "ready", scene.jobs().page(now, Map.of("state", "READY", "order", "DUE", "limit", "8")),
                        "next", scene.jobs().page(now, Map.of("state", "DELAYED", "order", "DUE", "limit", "12")),
                        "ended", scene.jobs().page(now, Map.of("order", "ENDED", "limit", "12")));
            case "jobs" -> scene.jobs().page(now, query);
            default -> scene.jobs().one(now, path.substring("jobs/".length()));
        };
        int status = answer == null ? 404 : 200;
        Object body = answer == null ? json("reason", "Job does not exist, or its history has been purged.") : answer;
        send(exchange, status, "application/vnd.spring-boot.actuator.v3+json", JSON.writeValueAsBytes(body));
    }

    private void change(HttpExchange exchange, String path) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        changes.add((exchange.getRequestMethod() + " " + path + " " + body).strip());
        Map<String, Object> answer = switch (path) {
            case "jobs" ->
                json(
                        "changed",
                        body.contains("after") ? 182 : 500,
                        "skipped",
                        3,
                        "lookedAt",
                        503,
                        "next",
                        body.contains("after") ? null : "canned");
            default ->
                path.startsWith("jobs/")
                        ? json(
                                "id",
                                path.substring(5),
                                "result",
                                exchange.getRequestMethod().equals("DELETE") ? "CANCELLED" : "CHANGED")
                        : json(
                                "name",
                                path.substring(path.indexOf('/') + 1),
                                "result",
                                body.contains("pause") ? "PAUSED" : "RESUMED",
                                "notHeardBy",
                                List.of());
        };
        send(exchange, 200, "application/json", JSON.writeValueAsBytes(answer));
    }

    private static Instant cursor(String after) {
        return after == null ? null : Instant.ofEpochMilli(Long.parseLong(after.substring(after.indexOf('.') + 1)));
    }

    private static Duration duration(String text) {
        return Duration.parse((text.endsWith("d") ? "P" : "PT") + text);
    }

    private static Map<String, String> query(HttpExchange exchange) {
        String query = exchange.getRequestURI().getRawQuery();
        return query == null
                ? Map.of()
                : Arrays.stream(query.split("&"))
                        .map(part -> part.split("=", 2))
                        .collect(Collectors.toMap(
                                part -> part[0], part -> URLDecoder.decode(part[1], StandardCharsets.UTF_8)));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
