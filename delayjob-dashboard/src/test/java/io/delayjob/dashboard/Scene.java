package io.delayjob.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What an endpoint answers: a cluster with one of everything an operator may meet, at any time that is asked for. */
class Scene {

    static final Instant BEGIN = Instant.parse("2026-11-23T14:03:22.480Z");

    static final String RESOURCE_ACCESS = "org.springframework.web.client.ResourceAccessException";

    static final String CONNECT_TIMED_OUT =
            "I/O error on POST request for \"https://hooks.partner-a.example/orders\": Connect timed out";

    static final String TRACE = RESOURCE_ACCESS + ": " + CONNECT_TIMED_OUT + """

            \tat org.springframework.web.client.DefaultRestClient$DefaultRequestBodyUriSpec.createResourceAccessException(DefaultRestClient.java:697)
            \tat org.springframework.web.client.DefaultRestClient$DefaultRequestBodyUriSpec.exchangeInternal(DefaultRestClient.java:582)
            \tat com.example.shop.Webhooks.send(Webhooks.java:48)
            \tat io.delayjob.dispatch.Attempt.call(Attempt.java:211)
            \tat io.delayjob.dispatch.Attempt.run(Attempt.java:160)
            \tat com.example.shop.Webhooks$$SpringCGLIB$$0.send(<generated>)
            \tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1144)
            \tat java.base/java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:642)
            \tat java.base/java.lang.Thread.run(Thread.java:1583)
            Caused by: java.net.http.HttpConnectTimeoutException: Connect timed out
            \tat java.net.http/jdk.internal.net.http.HttpClientImpl.send(HttpClientImpl.java:951)
            \tat com.example.shop.Partner.post(Partner.java:31)
            \t... 6 more
            """;

    record HandlerOf(
            String name, String method, String queue, double rate, long waiting, double takes, double fails, int of) {}

    static final List<HandlerOf> HANDLERS = List.of(
            new HandlerOf("cancel-unpaid-order", "UnpaidOrders.cancel", "default", 484, 6_214_000, 9, 0.0002, 0),
            new HandlerOf("remind-customer", "Reminders.remind", "default", 168, 2_190_000, 31, 0.001, 0),
            new HandlerOf("send-webhook", "Webhooks.send", "webhooks", 92, 941_000, 214, 0.058, 8),
            new HandlerOf("poll-tracking", "Tracking.poll", "default", 60, 612_000, 88, 0.004, 8),
            new HandlerOf("capture-payment", "Payments.capture", "payments", 24, 241_000, 142, 0.0008, 4),
            new HandlerOf("nightly-report", "Reports.nightly", "reports", 0, 14, 48_000, 0, 2),
            new HandlerOf("purge-carts", "StoredCarts.purge", "default", 0.02, 1, 5_200, 0, 0));

    static final int[] BOUNDS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000, 60_000};

    static final double[] USUAL_LATENESS = {0.18, 0.42, 0.3865, 0.0115, 0.0014, 0.0004, 0.0001};

    Map<String, Object> session(boolean mayChange) {
        return json(
                "user",
                "ann",
                "access",
                mayChange ? "UNRESTRICTED" : "READ_ONLY",
                "mayChange",
                mayChange,
                "csrf",
                json("header", "X-CSRF-TOKEN", "token", "canned"),
                "application",
                "shop",
                "environment",
                "production",
                "version",
                "0.1.0");
    }

    Map<String, Object> pulse(Instant now, Instant after, boolean wheel) {
        Map<String, Object> pulse = json(
                "time",
                now,
                "next",
                "canned." + now.toEpochMilli(),
                "jobs",
                json(
                        "DELAYED",
                        10_210_000,
                        "AWAITING",
                        3,
                        "READY",
                        12,
                        "RUNNING",
                        37,
                        "FINISHED",
                        9_700_000,
                        "FAILED",
                        214,
                        "CANCELLED",
                        201_000),
                "about",
                List.of("DELAYED", "FINISHED", "CANCELLED"),
                "countedAt",
                now.minusSeconds(4),
                "oldestDue",
                BEGIN.minus(Duration.ofHours(52)));
        pulse.put(
                "paused",
                json(
                        "handlers",
                        List.of("nightly-report"),
                        "queues",
                        List.of(),
                        "details",
                        List.of(json(
                                "kind",
                                "HANDLER",
                                "name",
                                "nightly-report",
                                "since",
                                BEGIN.minus(Duration.ofMinutes(351)),
                                "by",
                                "ann@example.com"))));
        pulse.put("engine", json("running", true, "incarnation", "shop-2-6513#4be1a022", "troubles", List.of()));
        pulse.put(
                "store",
                json(
                        "product",
                        "PostgreSQL 17.4",
                        "clockSkew",
                        Duration.ofNanos(1_100_000),
                        "calls",
                        List.of(
                                call("claim", 1_900_000, 4_400_000),
                                call("complete", 2_600_000, 7_000_000),
                                call("submit", 1_200_000, 3_100_000)),
                        "bytes",
                        4_800_000_000L));
        pulse.put("instances", instances(now));
        pulse.put(
                "starts",
                SceneWheel.starts(after == null ? now.minusSeconds(60) : after, now, after == null ? 300 : 120));
        pulse.put("startsLeftOut", 0);
        pulse.put("events", after == null ? events() : List.of());
        if (wheel) {
            pulse.put("wheel", SceneWheel.at(now));
        }
        return pulse;
    }

    private static Map<String, Object> call(String operation, long meanNanos, long maxNanos) {
        return json("operation", operation, "mean", Duration.ofNanos(meanNanos), "max", Duration.ofNanos(maxNanos));
    }

    private static List<Map<String, Object>> events() {
        return List.of(
                event(11 * 3600 + 202, "RECOVERED", "GOOD", "shop-1 (41) reaches its database again."),
                event(21_042, "HANDLER_PAUSED", "INFO", "Handler nightly-report was paused.", "nightly-report"),
                event(
                        2_479,
                        "INSTANCE_GIVEN_UP",
                        "BAD",
                        "shop-4 (45) was given up, because it had been silent for 10 s."),
                event(
                        2_478,
                        "RESCUED",
                        "WARN",
                        "41 attempts of shop-4 (45) were made again, 3 ended as FAILED (AT_MOST_ONCE)."),
                event(2_471, "INSTANCE_JOINED", "GOOD", "shop-4 (46) joined."),
                event(5, "TROUBLE", "WARN", "shop-4 (46) is late: two heartbeats are overdue."));
    }

    private static Map<String, Object> event(int secondsAgo, String kind, String level, String says) {
        return event(secondsAgo, kind, level, says, null);
    }

    private static Map<String, Object> event(int secondsAgo, String kind, String level, String says, String name) {
        return json("at", BEGIN.minusSeconds(secondsAgo), "kind", kind, "level", level, "says", says, "name", name);
    }

    List<Map<String, Object>> instances(Instant now) {
        long gone = Duration.between(BEGIN, now).toMillis();
        return List.of(
                instance(41, "shop-1-6513#19878bc1", "ALIVE", 700, 11, 2_214, 212, 0.4, 1, false),
                instance(42, "shop-2-6513#4be1a022", "ALIVE", 300, 9, 2_104, 208, -1.1, 2, true),
                instance(43, "shop-3-6498#c07714f9", "ALIVE", 1_600, 13, 2_301, 221, 0.9, 3, false),
                instance(46, "shop-4-7001#77aa01d5", "LATE", 5_200 + gone % 4_000, 4, 1_988, 191, 2.2, 4, false),
                instance(44, "web-1-210#0f1c8a3e", "ALIVE", 1_100, -1, 0, 0, 0.1, 0, false));
    }

    private static Map<String, Object> instance(
            int number,
            String incarnation,
            String state,
            long silentMillis,
            int running,
            int waiting,
            double rate,
            double skew,
            int leads,
            boolean self) {
        boolean worker = running >= 0;
        double[] late = new double[BOUNDS.length + 1];
        Arrays.setAll(late, i -> worker && i < 7 ? Math.round(rate * 300 * USUAL_LATENESS[i]) : 0);
        late[5] = number == 46 ? 300 : late[5];
        List<String> queues = worker ? List.of("default", "webhooks", "payments", "reports") : List.of();
        return json(
                "number",
                number,
                "incarnation",
                incarnation,
                "queues",
                queues,
                "state",
                state,
                "heartbeatAge",
                Duration.ofMillis(silentMillis),
                "pausesHeard",
                true,
                "self",
                self,
                "givenUpAfter",
                Duration.ofSeconds(10),
                "vitals",
                json(
                        "version",
                        number == 46 ? "2.15.0" : "2.14.0",
                        "since",
                        BEGIN.minus(number == 46 ? Duration.ofMinutes(41) : Duration.ofHours(76)),
                        "worker",
                        worker,
                        "slots",
                        worker
                                ? json(
                                        "default",
                                        json("concurrency", 16, "running", running / 2, "claimed", 1),
                                        "webhooks",
                                        json("concurrency", 8, "running", running - running / 2, "claimed", 0),
                                        "payments",
                                        json("concurrency", 4, "running", 0, "claimed", 0),
                                        "reports",
                                        json("concurrency", 2, "running", 0, "claimed", 0))
                                : json(),
                        "waiting",
                        waiting,
                        "capacity",
                        500_000,
                        "ready",
                        0,
                        "startsPerSecond",
                        rate,
                        "late",
                        late,
                        "longestRunning",
                        running > 10
                                ? json(
                                        "id",
                                        SceneJobs.RETRYING,
                                        "name",
                                        "send-webhook",
                                        "since",
                                        BEGIN.minusSeconds(running + 11))
                                : null,
                        "clockSkew",
                        millis(skew),
                        "partitions",
                        leads == 0
                                ? List.of()
                                : IntStream.range(0, 32)
                                        .filter(i -> (i + i / 8) % 4 == leads - 1)
                                        .mapToObj(i -> queues.get(i / 8) + "-p" + i % 8)
                                        .toList()));
    }

    Map<String, Object> minutes(Instant from, Instant until, Duration step) {
        return SceneSeries.minutes(from, until, step);
    }

    Map<String, Object> due(Instant from, Duration width, int buckets) {
        return SceneSeries.due(from, width, buckets);
    }

    Map<String, Object> failures(Instant since, Instant until) {
        return SceneSeries.failures(since, until);
    }

    Map<String, Object> groups() {
        return json(
                "groups",
                List.of(
                        group("import-41", "OPEN", 214, 96, 3, 0, Duration.ofHours(7)),
                        group("invoices-november", "CLOSED", 1_000_000, 612_340, 18, 0, Duration.ofMinutes(11))),
                "ended",
                List.of(
                        group("import-40", "ENDED", 5_000, 4_998, 2, 0, Duration.ofHours(26)),
                        group("newsletter-47", "CANCELLED", 8_200, 1_204, 0, 6_996, Duration.ofHours(30))));
    }

    private static Map<String, Object> group(
            String name, String state, long begun, long finished, long failed, long cancelled, Duration age) {
        return json(
                "name",
                name,
                "state",
                state,
                "begun",
                begun,
                "finished",
                finished,
                "failed",
                failed,
                "cancelled",
                cancelled,
                "createdAt",
                BEGIN.minus(age),
                "endedAt",
                begun == finished + failed + cancelled ? BEGIN.minus(age.dividedBy(2)) : null);
    }

    Map<String, Object> handlers() {
        return json(
                "handlers",
                HANDLERS.stream()
                        .map(handler -> json(
                                "name",
                                handler.name(),
                                "formerNames",
                                List.of(),
                                "queue",
                                handler.queue(),
                                "paused",
                                handler.name().equals("nightly-report"),
                                "method",
                                "com.example.shop." + handler.method(),
                                "parameters",
                                json(),
                                "retry",
                                retry(handler),
                                "delivery",
                                handler.name().equals("capture-payment") ? "AT_MOST_ONCE" : "AT_LEAST_ONCE",
                                "timeout",
                                handler.of() == 0 ? null : Duration.ofSeconds(30),
                                "priority",
                                10,
                                "concurrency",
                                handler.of() == 0 ? null : handler.of(),
                                "scope",
                                handler.of() == 8 ? "CLUSTER" : null,
                                "rate",
                                handler.name().equals("send-webhook") ? "100/s, burst 10" : null,
                                "rateBy",
                                isFor(handler, "send-webhook"),
                                "mutex",
                                isFor(handler, "send-webhook"),
                                "fairBy",
                                isFor(handler, "send-webhook"),
                                "expiresAfter",
                                handler.name().equals("remind-customer") ? Duration.ofHours(1) : null,
                                "keepFor",
                                handler.name().equals("poll-tracking") ? Duration.ofDays(90) : null,
                                "instances",
                                handler.of() == 2 ? List.of(43, 46) : List.of(41, 42, 43, 46),
                                "schedule",
                                handler.rate() < 1
                                        ? "cron:0 0 3 * * *@Europe/Berlin"
                                        : handler.name().equals("poll-tracking") ? "growing:PT30S*2<=PT1H" : null))
                        .toList(),
                "elsewhere",
                List.of("index-product", "send-newsletter"),
                "paused",
                json("handlers", List.of("nightly-report"), "queues", List.of()),
                "waiting",
                waiting(),
                "countedAt",
                BEGIN,
                "unhandled",
                List.of(json(
                        "name",
                        "settle-invoice",
                        "jobs",
                        412,
                        "precision",
                        "EXACT",
                        "oldestDue",
                        BEGIN.minus(Duration.ofHours(52)))));
    }

    private static Boolean isFor(HandlerOf handler, String name) {
        return handler.name().equals(name) ? Boolean.TRUE : null;
    }

    private static Map<String, Object> waiting() {
        Map<String, Object> waiting = json();
        HANDLERS.forEach(handler -> waiting.put(
                handler.name(),
                json("count", handler.waiting(), "precision", handler.waiting() > 1_000 ? "ABOUT" : "EXACT")));
        return waiting;
    }

    private static String retry(HandlerOf handler) {
        return switch (handler.name()) {
            case "send-webhook" -> "gaps:PT10S,PT1M,PT1H";
            case "nightly-report" -> "growing:PT5M*1;retries=3;jitter=PT10S";
            case "capture-payment" -> null;
            default -> "growing:PT10S*2<=PT1H;retries=16";
        };
    }

    Map<String, Object> queues() {
        return json(
                "queues",
                Stream.of("default", "payments", "reports", "webhooks")
                        .map(name -> json(
                                "name",
                                name,
                                "paused",
                                false,
                                "enabled",
                                true,
                                "concurrency",
                                16,
                                "running",
                                3,
                                "claimed",
                                0,
                                "handlers",
                                List.of(),
                                "partitions",
                                List.of(),
                                "partitionCount",
                                8))
                        .toList());
    }

    SceneJobs jobs() {
        return new SceneJobs();
    }

    /** A JSON object; a value that is null is left out, as the endpoint does. */
    static Map<String, Object> json(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] != null) {
                object.put((String) namesAndValues[i], namesAndValues[i + 1]);
            }
        }
        return object;
    }

    static Duration millis(double millis) {
        return Duration.ofNanos(Math.round(millis * 1e6));
    }

    /** A number from 0 to 1 that always belongs to the same one. */
    static double hash(long n) {
        int x = (int) (n ^ (n >>> 32)) ^ 0x9e3779b9;
        x *= 0x85ebca6b;
        x ^= x >>> 13;
        x *= 0xc2b2ae35;
        return Integer.toUnsignedLong(x ^ (x >>> 16)) / 4_294_967_296.0;
    }

    static String id(long seed) {
        return "01a1fc8f-%04x-7%03x-a%03x-%012x"
                .formatted(
                        (int) (hash(seed) * 65_536),
                        (int) (hash(seed + 1) * 4_096),
                        (int) (hash(seed + 2) * 4_096),
                        (long) (hash(seed + 3) * (1L << 48)));
    }
}
