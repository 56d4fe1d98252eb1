package io.delayjob.dashboard;

import static io.delayjob.dashboard.Scene.BOUNDS;
import static io.delayjob.dashboard.Scene.CONNECT_TIMED_OUT;
import static io.delayjob.dashboard.Scene.HANDLERS;
import static io.delayjob.dashboard.Scene.RESOURCE_ACCESS;
import static io.delayjob.dashboard.Scene.USUAL_LATENESS;
import static io.delayjob.dashboard.Scene.hash;
import static io.delayjob.dashboard.Scene.id;
import static io.delayjob.dashboard.Scene.json;

import io.delayjob.dashboard.Scene.HandlerOf;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What happened over time in a scene, and what will. */
final class SceneSeries {

    /** Shares of the busiest handlers in what comes due. */
    private static final List<Double> MIX = List.of(0.58, 0.21, 0.11, 0.07, 0.03);

    private SceneSeries() {}

    static Map<String, Object> minutes(Instant from, Instant until, Duration step) {
        int n = (int) Math.min(168, Duration.between(from, until).dividedBy(step) + 1);
        double minutesOfStep = step.toSeconds() / 60.0;
        long[] starts = new long[n];
        long[][] late = new long[n][];
        long[] retried = new long[n];
        long[] failed = new long[n];
        for (int i = 0; i < n; i++) {
            long ago = n - 1 - i;
            double total = (49_300 + 3_600 * Math.sin(i / 9.0) + 3_400 * (hash(i + 7) - 0.5) + (ago == 7 ? 31_000 : 0))
                    * minutesOfStep;
            starts[i] = Math.round(total);
            late[i] = lateness(i, (int) ago, total);
            failed[i] = Math.round((2 + 3 * hash(i + 77) + Math.max(0, 20 - ago) * 0.35) * minutesOfStep);
            retried[i] = failed[i] * 40 + Math.round(200 * hash(i + 777));
        }
        List<Map<String, Object>> handlers = IntStream.range(0, HANDLERS.size())
                .mapToObj(h -> handlerMinutes(h, starts, minutesOfStep))
                .toList();
        Map<String, Object> minutes = json(
                "from",
                from,
                "step",
                step,
                "retention",
                Duration.ofDays(7),
                "bounds",
                Arrays.stream(BOUNDS).mapToObj(Duration::ofMillis).toList());
        minutes.putAll(json("starts", starts, "retried", retried, "failed", failed, "late", late));
        minutes.put(
                "succeeded",
                IntStream.range(0, n)
                        .mapToLong(i -> starts[i] - retried[i] - failed[i])
                        .toArray());
        minutes.put("handlers", handlers);
        return minutes;
    }

    private static long[] lateness(int i, int ago, double total) {
        double trouble = ago <= 26 && ago >= 23 ? new double[] {2.6, 5, 3.2, 1}[ago - 23] : 0;
        long[] late = new long[BOUNDS.length + 1];
        for (int b = 0; b < USUAL_LATENESS.length; b++) {
            late[b] = Math.round(total * USUAL_LATENESS[b] * (0.8 + 0.4 * hash(i * 31L + b)));
        }
        for (int b = 4; b <= 8; b++) {
            late[b] += Math.round(total * trouble * new double[] {0.02, 0.03, 0.018, 0.008, 0.003}[b - 4]);
        }
        if (ago == 7) {
            late[3] += Math.round(total * 0.05);
            late[4] += Math.round(total * 0.03);
            late[5] += Math.round(total * 0.012);
        }
        return late;
    }

    private static Map<String, Object> handlerMinutes(int index, long[] starts, double minutesOfStep) {
        HandlerOf handler = HANDLERS.get(index);
        long[] own = IntStream.range(0, starts.length)
                .mapToLong(i -> Math.round(
                        handler.rate() < 1
                                ? (handler.rate() > 0 ? 1 : 0)
                                : handler.rate()
                                        * 60
                                        * minutesOfStep
                                        * (0.85
                                                + 0.3 * hash(index * 100L + i)
                                                + (starts.length - 1 - i == 7 ? 0.5 : 0))))
                .toArray();
        long ended = Arrays.stream(own).sum();
        long[] failed = Arrays.stream(own)
                .map(n -> Math.round(n * handler.fails() * 0.03))
                .toArray();
        long[] late = new long[BOUNDS.length + 1];
        for (int b = 0; b < USUAL_LATENESS.length; b++) {
            late[b] = Math.round(ended * USUAL_LATENESS[b]);
        }
        late[5] += handler.name().equals("send-webhook") ? Math.round(ended * 0.013) : 0;
        return json(
                "name",
                handler.name(),
                "starts",
                own,
                "retried",
                Arrays.stream(own).map(n -> Math.round(n * handler.fails())).toArray(),
                "failed",
                failed,
                "ended",
                ended,
                "runTime",
                Duration.ofMillis(Math.round(ended * handler.takes())),
                "late",
                late);
    }

    static Map<String, Object> due(Instant from, Duration width, int buckets) {
        double minutesOfBucket = width.toSeconds() / 60.0;
        long[][] parts = new long[MIX.size()][buckets];
        long[] due = new long[buckets];
        for (int i = 0; i < buckets; i++) {
            double hour = (from.plus(width.multipliedBy(i)).getEpochSecond() / 3600.0) % 24;
            double rush = minutesOfBucket < 5 ? 0 : 12_000 * Math.exp(-Math.pow((hour - 19.5 + 36) % 24 - 12, 2) / 30);
            double total = (50_000 + rush + 6_000 * Math.sin(i / 7.0) + 4_600 * (hash(i + 3) - 0.5)) * minutesOfBucket;
            for (int h = 0; h < MIX.size(); h++) {
                parts[h][i] = Math.round(total * MIX.get(h) * (0.85 + 0.3 * hash(h * 1_000L + i)));
            }
            parts[1][i] += Math.round((i == 26 ? 148_000 : 0) * minutesOfBucket);
            parts[2][i] += Math.round((i == 41 ? 2_600 : 0) * minutesOfBucket);
            parts[0][i] += Math.round((i == 56 ? 36_800 : 0) * minutesOfBucket);
            int bucket = i;
            due[i] = Arrays.stream(parts).mapToLong(part -> part[bucket]).sum();
        }
        return json(
                "from",
                from,
                "width",
                width,
                "lookedAt",
                14_021,
                "due",
                due,
                "precision",
                IntStream.range(0, buckets).mapToObj(i -> "ABOUT").toList(),
                "handlers",
                IntStream.range(0, MIX.size())
                        .mapToObj(h -> json("name", HANDLERS.get(h).name(), "due", parts[h]))
                        .toList());
    }

    static Map<String, Object> failures(Instant since, Instant until) {
        List<Map<String, Object>> groups = List.of(
                group(
                        "send-webhook",
                        RESOURCE_ACCESS,
                        CONNECT_TIMED_OUT,
                        until.minusSeconds(13),
                        json("10", 1, "13", 2, "16", 1, "21", 3, "22", 71, "23", 104)),
                group(
                        "remind-customer",
                        "java.lang.IllegalStateException",
                        "Customer # has no address",
                        until.minusSeconds(1_312),
                        json(
                                "0", 1, "2", 2, "4", 1, "5", 1, "8", 2, "9", 1, "11", 1, "13", 2, "15", 1, "17", 1,
                                "19", 2, "21", 1, "22", 2, "23", 1)),
                group(
                        "poll-tracking",
                        "TimedOut",
                        "No end within 30 s",
                        until.minusSeconds(6_198),
                        json("4", 1, "10", 2, "11", 1, "14", 3, "18", 1, "21", 1)),
                group(
                        "capture-payment",
                        "Lost",
                        "Its instance shop-4 (45) fell silent, and it must not be repeated (AT_MOST_ONCE)",
                        until.minusSeconds(2_484),
                        json("22", 3)),
                group(
                        "index-product",
                        "UnreadablePayload",
                        "Unrecognized field \"sku2\" (class com.example.search.Product)",
                        until.minusSeconds(17_442),
                        json("18", 1)));
        long all = groups.stream()
                .mapToLong(group -> ((Number) group.get("count")).longValue())
                .sum();
        return json(
                "since",
                since,
                "until",
                until,
                "width",
                Duration.between(since, until).dividedBy(24),
                "lookedAt",
                all,
                "complete",
                true,
                "retention",
                Duration.ofDays(30),
                "groups",
                groups);
    }

    private static Map<String, Object> group(
            String name, String error, String message, Instant last, Map<String, Object> buckets) {
        long[] counts = new long[24];
        buckets.forEach((bucket, count) -> counts[Integer.parseInt(bucket)] = ((Number) count).longValue());
        long count = Arrays.stream(counts).sum();
        int first =
                IntStream.range(0, 24).filter(i -> counts[i] > 0).findFirst().orElse(0);
        return json(
                "name",
                name,
                "error",
                error,
                "message",
                message,
                "count",
                count,
                "first",
                count == 1 ? last : last.minus(Duration.ofMinutes(60L * (23 - first))),
                "last",
                last,
                "buckets",
                counts,
                "newest",
                id(name.hashCode()));
    }
}
