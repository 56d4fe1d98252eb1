package io.delayjob.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A wheel whose timers depend on the time alone, so that two looks at it fit together. */
final class SceneWheel {

    private static final long TICK_NANOS = 8_192;

    private static final long SLOTS = 256;

    private static final Duration WINDOW = Duration.ofSeconds(10);

    private static final Duration READ_EVERY = Duration.ofSeconds(5);

    private static final double MEAN_OF_A_SLOT = 0.436;

    private SceneWheel() {}

    static Map<String, Object> at(Instant now) {
        long nanos = nanos(now);
        long readUntil = nanos(now) / READ_EVERY.toNanos() * READ_EVERY.toNanos() + WINDOW.toNanos();
        List<Object> levels = new ArrayList<>();
        long size = 0;
        for (int level = 0; level < 4; level++) {
            long width = width(level);
            long position = nanos / width;
            List<List<Long>> slots = new ArrayList<>();
            // A slot of a level holds what no slot of the level below can hold yet.
            long end = (position / SLOTS + 1) * SLOTS;
            for (long slot = position + 1; level > 0 && slot < (level == 1 ? end : position + SLOTS); slot++) {
                long jobs = jobs(level, slot, position, readUntil);
                if (jobs > 0) {
                    slots.add(List.of(slot % SLOTS, jobs));
                }
            }
            long timers = slots.stream().mapToLong(slot -> slot.get(1)).sum();
            size += timers;
            levels.add(Scene.json(
                    "level",
                    level,
                    "slotWidth",
                    Duration.ofNanos(width),
                    "timers",
                    timers,
                    "position",
                    position % SLOTS,
                    "into",
                    Duration.ofNanos(nanos % width),
                    "slots",
                    slots));
        }
        Map<String, Object> wheel = new LinkedHashMap<>(Scene.json(
                "at",
                now,
                "size",
                size,
                "capacity",
                500_000,
                "lag",
                Duration.ofNanos(30_000),
                "cascades",
                2_412_000 + (nanos - nanos(Scene.BEGIN)) / 2_427_000));
        wheel.putAll(Scene.json(
                "fired",
                5_182_000 + (nanos - nanos(Scene.BEGIN)) / 4_807_692,
                "cancelled",
                20_311 + (nanos - nanos(Scene.BEGIN)) / 32_258_064,
                "nextDue",
                now.plusNanos(1_300_000),
                "window",
                WINDOW,
                "readUntil",
                Instant.ofEpochSecond(readUntil / 1_000_000_000, readUntil % 1_000_000_000)));
        wheel.put(
                "lastRead",
                Scene.json(
                        "at",
                        now.minusNanos(nanos % READ_EVERY.toNanos()),
                        "rows",
                        1_043,
                        "took",
                        Duration.ofMillis(4)));
        wheel.put("levels", levels);
        return wheel;
    }

    /** Starts in (from, until], newest last, with the lateness that the same time always has. */
    static List<Map<String, Object>> starts(Instant from, Instant until, int atMost) {
        List<Map<String, Object>> starts = new ArrayList<>();
        long width = width(1);
        for (long slot = nanos(until) / width - 1; slot > nanos(from) / width && starts.size() < atMost; slot--) {
            if (poisson(MEAN_OF_A_SLOT * burst(slot / SLOTS), Scene.hash(slot)) == 0 || Scene.hash(slot * 17) > 0.4) {
                continue;
            }
            int handler = new int[] {0, 0, 0, 1, 0, 2, 1, 3, 0, 4}[(int) (Scene.hash(slot * 31) * 10)];
            double late = lateness(slot);
            long due = slot * width;
            starts.add(
                    0,
                    Scene.json(
                            "at",
                            Instant.ofEpochSecond(due / 1_000_000_000, due % 1_000_000_000)
                                    .plusNanos((long) (late * 1e6)),
                            "id",
                            Scene.id(slot),
                            "name",
                            Scene.HANDLERS.get(handler).name(),
                            "key",
                            handler == 2 ? null : (handler == 1 ? "customer-" : "order-") + (70_000 + slot % 9_999),
                            "lateMillis",
                            late));
        }
        return starts;
    }

    private static double lateness(long slot) {
        double u = Math.max(1e-9, Scene.hash(slot * 3 + 1));
        double v = Scene.hash(slot * 5 + 2);
        double normal = Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
        double late = Scene.hash(slot * 23) > 0.9985 ? 30 + 90 * v : Math.max(0.35, 1.8 * Math.exp(0.56 * normal));
        return Math.round(late * 1_000) / 1_000.0;
    }

    private static long jobs(int level, long slot, long position, long readUntil) {
        if (level == 1) {
            return poisson(MEAN_OF_A_SLOT * burst(slot / SLOTS), Scene.hash(slot));
        }
        if (level == 2) {
            double share = (slot + 1) * width(2) <= readUntil ? 1 : slot * width(2) < readUntil ? 0.6 : 0;
            double rare = share == 0 && Scene.hash(slot) < 0.1 ? 2 : 0;
            return Math.round(share * MEAN_OF_A_SLOT * SLOTS * burst(slot) * (0.8 + 0.4 * Scene.hash(slot)) + rare);
        }
        return level == 3 && List.of(1L, 2L, 5L, 26L).contains(slot - position) ? 1 : 0;
    }

    private static double burst(long slot) {
        return Scene.hash(slot * 7 + 3) < 0.14 ? 2.7 : Scene.hash(slot * 11) < 0.2 ? 0.45 : 0.92;
    }

    private static int poisson(double mean, double u) {
        double p = Math.exp(-mean);
        double sum = p;
        int k = 0;
        while (u > sum && k < 50) {
            k++;
            p *= mean / k;
            sum += p;
        }
        return k;
    }

    private static long width(int level) {
        return TICK_NANOS << (8 * level);
    }

    private static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }
}
