package io.delayjob.dashboard;

import static io.delayjob.dashboard.Scene.hash;
import static io.delayjob.dashboard.Scene.json;
import static io.delayjob.dashboard.Scene.millis;

import io.delayjob.dashboard.Scene.HandlerOf;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The jobs of a scene: some run, some come due, some have just ended. */
class SceneJobs {

    private static final int[] HANDLER = {0, 0, 1, 0, 2, 0, 3, 1, 0, 2, 0, 4, 0, 1, 0, 3};

    private static final long[] DUE_IN_MILLIS = {
        400, 1_900, 7_000, 12_000, 34_000, 58_000, 252_000, 1_560_000, 3_300_000, 10_800_000
    };

    private static final List<String> ENDS = List.of(
            "FINISHED", "FINISHED", "FAILED", "FINISHED", "CANCELLED", "FINISHED", "FINISHED", "FAILED", "FINISHED");

    static final String RETRYING = "01a1fc8f-f62a-7077-a003-c7f3e17a6f0f";

    /** A page of jobs, filtered by state, name, key, queue and group. */
    Map<String, Object> page(Instant now, Map<String, String> query) {
        List<Map<String, Object>> all = new ArrayList<>(unfinished(now));
        all.addAll(ended(now));
        String order = query.getOrDefault("order", "");
        List<Map<String, Object>> jobs = all.stream()
                .filter(job -> !order.equals("ENDED") || job.containsKey("endedAt"))
                .filter(job -> !order.equals("DUE") || !job.containsKey("endedAt"))
                .filter(job -> Stream.of("state", "name", "key", "queue", "group")
                        .allMatch(field ->
                                !query.containsKey(field) || query.get(field).equals(job.get(field))))
                .limit(Integer.parseInt(query.getOrDefault("limit", "100")))
                .toList();
        boolean further =
                List.of("DELAYED", "FAILED").contains(query.getOrDefault("state", "")) && !query.containsKey("after");
        Map<String, Object> page =
                json("jobs", jobs, "next", further ? "canned" : null, "lookedAt", further ? 20_000 : 212);
        page.putAll(json("complete", !further, "took", Duration.ofMillis(9)));
        return page;
    }

    /** One job with all that is known of it, or {@code null}. */
    Map<String, Object> one(Instant now, String id) {
        return id.equals(RETRYING)
                ? retrying()
                : id.equals(Scene.id("send-webhook".hashCode()))
                        ? dead(now)
                        : Stream.concat(unfinished(now).stream(), ended(now).stream())
                                .filter(job -> id.equals(job.get("id")))
                                .findFirst()
                                .map(this::details)
                                .orElse(null);
    }

    List<Map<String, Object>> unfinished(Instant now) {
        List<Map<String, Object>> jobs = new ArrayList<>();
        jobs.add(running(0, now.minusMillis(1_840), 2.1, 43));
        jobs.add(running(1, now.minusMillis(410), 1.6, 41));
        jobs.add(job(2, "READY", now.minusMillis(120)));
        for (int i = 0; i < DUE_IN_MILLIS.length; i++) {
            Map<String, Object> job = job(i + 3, "DELAYED", now.plusMillis(DUE_IN_MILLIS[i]));
            if (i == 3 || i == 6) {
                job.putAll(json(
                        "attempt", 3, "failures", 3, "errorType", "TimedOut", "error", "TimedOut: No end within 30 s"));
            }
            if (i == 6) {
                job.put("id", RETRYING);
            }
            jobs.add(job);
        }
        return jobs;
    }

    List<Map<String, Object>> ended(Instant now) {
        return IntStream.range(0, ENDS.size())
                .mapToObj(i -> end(i + 13, ENDS.get(i), now.minusMillis((i + 1) * 740L)))
                .sorted(Comparator.comparing(job -> (Instant) job.get("endedAt"), Comparator.reverseOrder()))
                .toList();
    }

    private static Map<String, Object> running(int i, Instant due, double late, int instance) {
        Map<String, Object> job = job(i, "RUNNING", due);
        Instant called = due.plusNanos((long) (late * 1e6));
        job.putAll(json("attempt", i == 0 ? 1 : 3, "failures", i == 0 ? 0 : 2, "startedAt", due, "calledAt", called));
        job.putAll(json("lateMillis", late, "instance", instance));
        return job;
    }

    private static Map<String, Object> end(int i, String state, Instant end) {
        HandlerOf handler = handler(i);
        Instant started = end.minus(millis(handler.takes() * (0.6 + hash(i * 3L))));
        Map<String, Object> job = job(i, state, started);
        job.put("endedAt", end);
        if (!state.equals("CANCELLED")) {
            job.putAll(json("attempt", state.equals("FAILED") ? 4 : 1, "startedAt", started, "calledAt", started));
            job.putAll(json("lateMillis", (long) (i % 4), "instance", 41 + i % 3));
        }
        if (state.equals("FINISHED") && handler.name().equals("poll-tracking")) {
            job.putAll(json("keptUntil", end.plus(Duration.ofDays(90)), "followsGroup", "import-40"));
        }
        if (state.equals("FAILED")) {
            job.putAll(json("failures", 3, "errorType", "java.lang.IllegalStateException"));
            job.put("error", "java.lang.IllegalStateException: Customer 4711 has no address");
        }
        return job;
    }

    private static Map<String, Object> job(int i, String state, Instant due) {
        HandlerOf handler = handler(i);
        String key = switch (handler.name()) {
            case "send-webhook" -> null;
            case "remind-customer" -> "customer-" + (7_310 + i * 7);
            default -> "order-" + (81_734 - i * 3);
        };
        Map<String, Object> job = json("id", Scene.id(i), "name", handler.name(), "key", key, "queue", handler.queue());
        job.putAll(json("partition", i % 8, "state", state, "scheduledAt", due.minus(Duration.ofMinutes(30))));
        job.putAll(json("plannedAt", due, "dueAt", due, "run", 1, "attempt", 0, "failures", 0, "rescues", 0));
        job.putAll(json("inDoubt", 0, "cancelRequested", false, "paused", false));
        if (handler.name().equals("send-webhook")) {
            job.putAll(json("mutex", "partner-a", "rateKey", "partner-a", "fairKey", "shop-7", "group", "import-41"));
        }
        return job;
    }

    private static HandlerOf handler(int i) {
        return Scene.HANDLERS.get(HANDLER[i % HANDLER.length]);
    }

    /** A job between its third attempt and the fourth. */
    Map<String, Object> retrying() {
        Instant due = Instant.parse("2026-11-23T13:42:31.480Z");
        Instant next = Instant.parse("2026-11-23T14:44:21.696Z");
        Map<String, Object> job = job(4, "DELAYED", next);
        job.putAll(json("id", RETRYING, "plannedAt", due, "scheduledAt", due.minusSeconds(5), "attempt", 3));
        job.putAll(json(
                "failures",
                3,
                "errorType",
                Scene.RESOURCE_ACCESS,
                "trace",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        job.put("error", Scene.TRACE.lines().findFirst().orElseThrow());
        List<Map<String, Object>> attempts = List.of(
                attempt(
                        3,
                        42,
                        due.plusMillis(100_212),
                        10_004,
                        1.9,
                        "FAILED",
                        Scene.TRACE.lines().findFirst().orElseThrow()),
                attempt(
                        2,
                        43,
                        due.plusMillis(40_000),
                        212,
                        2.2,
                        "FAILED",
                        Scene.RESOURCE_ACCESS
                                + ": I/O error on POST request for \"https://hooks.partner-a.example/orders\": Connection refused"),
                attempt(1, 41, due, 30_000, 1.7, "TIMED_OUT", "TimedOut: no end within 30 s"));
        Map<String, Object> details = json("job", job, "stackTrace", Scene.TRACE, "attempts", attempts);
        details.putAll(json("attemptsKept", "FAILURES", "retriesLeft", 0, "retryPolicy", "gaps:PT10S,PT1M,PT1H"));
        details.putAll(
                json("timeout", Duration.ofSeconds(30), "payloadHidden", "delayjob.endpoint.show-payloads is never."));
        details.put(
                "why",
                List.of(
                        check("DUE", false, "The job is due in 40 m 59 s."),
                        check("HANDLER", true, "Its handler is known on 4 instances."),
                        check("PAUSED", true, "Neither send-webhook nor webhooks is paused."),
                        check("INSTANCE", true, "4 instances serve its queue."),
                        check("SLOTS", true, "19 of 32 slots of webhooks are free."),
                        check("LEADER", true, "shop-3 leads its partition, webhooks-p4.")));
        return details;
    }

    /** The newest of the dead letters. */
    Map<String, Object> dead(Instant now) {
        Map<String, Object> job = end(4, "FAILED", now.minusSeconds(13));
        job.putAll(json("id", Scene.id("send-webhook".hashCode()), "errorType", Scene.RESOURCE_ACCESS));
        return json("job", job, "stackTrace", Scene.TRACE, "attempts", List.of(), "attemptsKept", "FAILURES");
    }

    /** Any other job. */
    Map<String, Object> details(Map<String, Object> job) {
        Map<String, Object> details = json("job", job, "attempts", List.of(), "attemptsKept", "FAILURES");
        details.putAll(json("retriesLeft", 16, "retryPolicy", "growing:PT10S*2<=PT1H;retries=16"));
        if ("FAILED".equals(job.get("state"))) {
            details.put(
                    "stackTrace",
                    "java.lang.IllegalStateException: Customer 4711 has no address\n\tat com.example.shop.Reminders.remind(Reminders.java:31)");
        } else if (job.get("endedAt") == null) {
            details.put(
                    "why",
                    List.of(
                            check("DUE", !"DELAYED".equals(job.get("state")), "See dueAt."),
                            check("HANDLER", true, "Its handler is known on 4 instances.")));
        }
        return details;
    }

    private static Map<String, Object> attempt(
            int number, int instance, Instant due, int took, double late, String outcome, String error) {
        Instant start = due.plusNanos((long) (late * 1e6));
        Map<String, Object> attempt = json("run", 1, "attempt", number, "outcome", outcome, "instance", instance);
        attempt.putAll(json("dueAt", due, "startedAt", start, "endedAt", start.plusMillis(took), "lateMillis", late));
        attempt.put("error", error);
        return attempt;
    }

    static Map<String, Object> check(String check, boolean holds, String says) {
        return json("check", check, "holds", holds, "says", says);
    }
}
