package io.delayjob.benchmarks.durable;

import io.delayjob.benchmarks.durable.Comparison.Result;
import io.delayjob.redis.TestRedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares delayjob with other libraries (contenders) on Redis, or with itself on clusters. In the scenario {@code
 * LIVES}, a round on a single server first writes future jobs to measure their memory. A round on a cluster leaves this
 * step out. Then the round runs due jobs until all have ended.
 */
final class RedisComparison {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration FAR = Duration.ofDays(1);

    /**
     * Number of jobs in one call to a cluster. Each call writes to one hash slot, so a few large calls would distribute
     * the jobs unevenly.
     */
    private static final int AT_ONCE_ON_CLUSTER = 500;

    private enum Scenario {
        /** Jobs are written, and then run until all have ended. */
        LIVES,
        /** Jobs come due at a fixed rate. Measures how late they start. */
        LATENESS
    }

    private interface Trial {
        Result run() throws Exception;
    }

    private RedisComparison() {}

    /**
     * @param arguments the options; a value in parentheses is the default: {@code --store=redis}; {@code --scenario}:
     *     lives or lateness (lives); {@code --contenders}: names, separated by commas (all); {@code --rounds} (3);
     *     {@code --warm-up-rounds} (1); {@code --jobs} (50,000); {@code --fsync}: everysec or always (everysec); {@code
     *     --bullmq}: directory of BullMQ's script after {@code npm install}; {@code --masters}: numbers of masters of
     *     clusters, separated by commas; only for lateness: {@code --rate} (200) and {@code --ahead} (PT5S)
     */
    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(
                arguments,
                Set.of(
                        "store",
                        "scenario",
                        "contenders",
                        "rounds",
                        "warm-up-rounds",
                        "jobs",
                        "fsync",
                        "bullmq",
                        "masters",
                        "rate",
                        "ahead"));
        String fsync = options.text("fsync") == null ? "everysec" : options.text("fsync");
        int jobs = options.number("jobs", 50_000);
        int warmUps = options.number("warm-up-rounds", 1);
        int rounds = warmUps + options.number("rounds", 3);
        System.out.println(Machine.describe());
        try (TestRedisServer server = TestRedisServer.start()) {
            System.out.println(ServerInfo.describe(server.uri()));
        }
        System.out.printf("%,d jobs in each round, append-only file with fsync %s%n", jobs, fsync);
        Map<String, Trial> trials = switch (options.oneOf("scenario", Scenario.LIVES)) {
            case LIVES ->
                options.text("masters") == null ? trials(options, jobs, fsync) : trialsOnClusters(options, jobs, fsync);
            case LATENESS -> trialsOfLateness(options, jobs, fsync);
        };
        Map<String, List<Result>> results = new TreeMap<>();
        List<Map.Entry<String, Trial>> order = new ArrayList<>(trials.entrySet());
        for (int round = 1; round <= rounds; round++) {
            Collections.reverse(order);
            for (Map.Entry<String, Trial> entry : order) {
                Result result = entry.getValue().run();
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

    private static Map<String, Trial> trials(Options options, int jobs, String fsync) {
        Map<String, Trial> trials = new LinkedHashMap<>();
        wanted(RedisContender.all(options.text("bullmq")), options)
                .forEach((name, contender) -> trials.put(name, () -> run(contender, jobs, fsync)));
        return trials;
    }

    private static Map<String, Trial> trialsOnClusters(Options options, int jobs, String fsync) {
        Map<String, Trial> trials = new LinkedHashMap<>();
        Map<String, RedisDelayJobContender> contenders =
                wanted(RedisDelayJobContender.all(AT_ONCE_ON_CLUSTER), options);
        for (int masters : options.numbers("masters", 1)) {
            contenders.forEach((name, contender) -> trials.put(
                    "%s, masters: %d".formatted(name, masters),
                    () -> RedisClusterRound.run(contender, masters, jobs, fsync, PATIENCE)));
        }
        return trials;
    }

    private static Map<String, Trial> trialsOfLateness(Options options, int jobs, String fsync) {
        RedisLatenessRound round = new RedisLatenessRound(
                jobs, options.number("rate", 200), options.duration("ahead", Duration.ofSeconds(5)));
        System.out.println(round);
        Map<String, Trial> trials = new LinkedHashMap<>();
        wanted(RedisDelayJobContender.all(1), options)
                .forEach((name, contender) -> trials.put(name, () -> round.run(contender, fsync, PATIENCE)));
        return trials;
    }

    private static <C extends RedisContender> Map<String, C> wanted(Map<String, C> contenders, Options options) {
        String names = options.text("contenders");
        if (names != null) {
            List<String> wanted = Arrays.asList(names.split(","));
            if (!contenders.keySet().containsAll(wanted)) {
                throw new IllegalArgumentException(
                        "Invalid contenders %s: must be some of %s; bullmq needs --bullmq=<directory>, and only delayjob takes part with --masters or --scenario=lateness."
                                .formatted(wanted, contenders.keySet()));
            }
            contenders.keySet().retainAll(wanted);
        }
        contenders.forEach((name, contender) -> System.out.printf("%s: %s%n", name, contender.configuration()));
        return contenders;
    }

    static Result run(RedisContender contender, int jobs, String fsync) throws Exception {
        long bytes;
        try (TestRedisServer server = TestRedisServer.start("--appendonly", "yes", "--appendfsync", fsync);
                RedisContender.Instance instance = contender.open(server.uri())) {
            long empty = ServerInfo.read(server.uri()).memoryBytes();
            instance.write(jobs, FAR);
            bytes = ServerInfo.read(server.uri()).memoryBytes() - empty;
        }
        try (TestRedisServer server = TestRedisServer.start("--appendonly", "yes", "--appendfsync", fsync);
                RedisContender.Instance instance = contender.open(server.uri())) {
            double cpu = ServerInfo.read(server.uri()).cpuMicros();
            long began = System.nanoTime();
            instance.write(jobs, Duration.ZERO);
            long written = System.nanoTime();
            long starts = instance.drain(jobs, PATIENCE);
            long ended = System.nanoTime();
            double micros = ServerInfo.read(server.uri()).cpuMicros() - cpu;
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
}
