package io.delayjob.benchmarks.durable;

import io.delayjob.benchmarks.durable.Comparison.Result;
import io.delayjob.redis.TestRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares delayjob with its peers on Redis. In each round they take turns, each on a server of its own. A round writes
 * jobs that are due in the future, to measure their memory. Then it writes jobs that are due, and runs these until all
 * have ended.
 */
final class RedisComparison {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration FAR = Duration.ofDays(1);
    private static final Pattern USED_MEMORY = Pattern.compile("(?m)^used_memory:(\\d+)");

    private RedisComparison() {}

    /**
     * Runs the comparison.
     *
     * @param arguments {@code --store} (redis), {@code --contenders} (all; names with commas between), {@code --rounds}
     *     (3), {@code --warm-up-rounds} (1) ahead of them, {@code --jobs} (50,000), {@code --fsync} (everysec; or
     *     always), {@code --bullmq}, the directory of BullMQ's script after {@code npm install}
     */
    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(
                arguments, Set.of("store", "contenders", "rounds", "warm-up-rounds", "jobs", "fsync", "bullmq"));
        Map<String, RedisContender> contenders = RedisContender.all(options.text("bullmq"));
        String names = options.text("contenders");
        if (names != null) {
            List<String> wanted = Arrays.asList(names.split(","));
            if (!contenders.keySet().containsAll(wanted)) {
                throw new IllegalArgumentException(
                        "Invalid contenders %s: must be some of %s; bullmq needs --bullmq=<directory>."
                                .formatted(wanted, contenders.keySet()));
            }
            contenders.keySet().retainAll(wanted);
        }
        String fsync = options.text("fsync") == null ? "everysec" : options.text("fsync");
        int jobs = options.number("jobs", 50_000);
        int warmUps = options.number("warm-up-rounds", 1);
        int rounds = warmUps + options.number("rounds", 3);
        System.out.println(Machine.describe());
        System.out.printf("%,d jobs in each round, append-only file with fsync %s%n", jobs, fsync);
        contenders.forEach((name, contender) -> System.out.printf("%s: %s%n", name, contender.configuration()));
        Map<String, List<Result>> results = new TreeMap<>();
        List<Map.Entry<String, RedisContender>> order = new ArrayList<>(contenders.entrySet());
        for (int round = 1; round <= rounds; round++) {
            Collections.reverse(order);
            for (Map.Entry<String, RedisContender> entry : order) {
                Result result = run(entry.getValue(), jobs, fsync);
                results.computeIfAbsent(entry.getKey(), name -> new ArrayList<>())
                        .add(result);
                String number = round <= warmUps ? "warm-up " + round : Integer.toString(round - warmUps);
                System.out.printf("%s %s: %s%n", number, entry.getKey(), result);
            }
        }
        System.out.println("Medians");
        results.forEach((name, all) -> System.out.printf("  %s: %s%n", name, Result.median(all, warmUps)));
        System.out.println(Machine.describe());
    }

    /** Runs one round of a contender. */
    static Result run(RedisContender contender, int jobs, String fsync) throws Exception {
        long bytes;
        try (TestRedisServer server = TestRedisServer.start("--appendonly", "yes", "--appendfsync", fsync);
                RedisContender.Instance instance = contender.open(server.uri())) {
            long empty = usedMemory(server);
            instance.write(jobs, FAR);
            bytes = usedMemory(server) - empty;
        }
        try (TestRedisServer server = TestRedisServer.start("--appendonly", "yes", "--appendfsync", fsync);
                RedisContender.Instance instance = contender.open(server.uri())) {
            long cpu = Meter.ticks(server.pid(), false);
            long began = System.nanoTime();
            instance.write(jobs, Duration.ZERO);
            long written = System.nanoTime();
            long starts = instance.drain(jobs, PATIENCE);
            long ended = System.nanoTime();
            double micros = (Meter.ticks(server.pid(), false) - cpu) * Meter.MILLIS_PER_TICK * 1e3;
            return new Result(
                    List.of(
                            new Figure("%,.0f whole lives/s", rate(jobs, ended - began)),
                            new Figure("%,.0f written/s", rate(jobs, written - began)),
                            new Figure("%,.0f run/s", rate(jobs, ended - written)),
                            new Figure("the server's CPU %.1f us per job", micros / jobs),
                            new Figure("%,.0f bytes of memory per waiting job", (double) bytes / jobs)),
                    starts - jobs,
                    0,
                    0);
        }
    }

    private static double rate(int jobs, long nanos) {
        return jobs / (nanos / 1e9);
    }

    private static long usedMemory(TestRedisServer server) {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            Matcher used = USED_MEMORY.matcher(connection.sync().info("memory"));
            if (!used.find()) {
                throw new IllegalStateException("Redis does not say how much memory it uses.");
            }
            return Long.parseLong(used.group(1));
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }
}
