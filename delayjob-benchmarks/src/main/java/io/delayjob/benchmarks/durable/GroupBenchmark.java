package io.delayjob.benchmarks.durable;

import io.delayjob.handler.Handler;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.JobExtras;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures how much more time group members take than plain jobs, and how soon a group's end is noticed. The order of
 * the two measurements changes each round.
 */
public final class GroupBenchmark {

    private static final String MEMBER = "no-op";
    private static final String FOLLOWER = "follower";
    private static final String GROUP = "members";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * @param took time from the start of the engine to the end of the last member
     * @param noticed time from the end of the last member to the call of the follower's handler
     */
    record Result(int jobs, Duration took, Duration noticed, int followers, GroupStatus group) {

        double jobsPerSecond() {
            return jobs / (took.toNanos() / 1e9);
        }
    }

    private GroupBenchmark() {}

    /** @param arguments {@code --url}, {@code --jobs} (100,000), {@code --rounds} (5; the first round warms up) */
    public static void main(String[] arguments) throws InterruptedException {
        Options options = Options.parse(arguments, Set.of("url", "jobs", "rounds"));
        int jobs = options.number("jobs", 100_000);
        List<Double> ratios = new ArrayList<>();
        System.out.println(Machine.describe());
        for (int round = 0; round < options.number("rounds", 5); round++) {
            boolean isPlainFirst = round % 2 == 0;
            double before = isPlainFirst ? plain(options, jobs) : 0;
            Result members = members(options, jobs);
            double plain = isPlainFirst ? before : plain(options, jobs);
            double ratio = members.jobsPerSecond() / plain;
            System.out.printf(
                    "round %d: %,.0f plain jobs/s, %,.0f members/s (%.0f %%); the last end was noticed after %d ms, %d follower(s), %s%n",
                    round,
                    plain,
                    members.jobsPerSecond(),
                    100 * ratio,
                    members.noticed.toMillis(),
                    members.followers,
                    members.group.counts());
            if (round > 0) {
                ratios.add(ratio);
            }
        }
        ratios.stream()
                .sorted()
                .skip(ratios.size() / 2)
                .findFirst()
                .ifPresent(median ->
                        System.out.printf("median: members at %.0f %% of the rate of plain jobs%n", 100 * median));
        System.out.println(Machine.describe());
    }

    private static double plain(Options options, int jobs) throws InterruptedException {
        try (BenchmarkDatabase database = BenchmarkDatabase.open(options.text("url"), 20)) {
            return DrainBenchmark.run(database, jobs).jobsPerSecond();
        }
    }

    private static Result members(Options options, int jobs) throws InterruptedException {
        try (BenchmarkDatabase database = BenchmarkDatabase.open(options.text("url"), 20)) {
            return run(database, jobs);
        }
    }

    static Result run(BenchmarkDatabase database, int jobs) throws InterruptedException {
        Ends ends = new Ends(MEMBER, jobs);
        BlockingQueue<Long> followed = new LinkedBlockingQueue<>();
        List<Handler> handlers = List.of(
                Handler.named(MEMBER).calls((arguments, job) -> null),
                Handler.named(FOLLOWER).calls((arguments, job) -> {
                    followed.add(System.nanoTime());
                    return null;
                }));
        EngineSettings settings = EngineSettings.defaults("benchmark#1");
        try (BenchmarkEngine engine = new BenchmarkEngine(database.dataSource(), settings, ends, handlers)) {
            GroupRef group = engine.store().groups().enter(new GroupRef(new UUID(1, 1), GROUP), engine.storeTime());
            engine.writeDue(MEMBER, jobs, JobExtras.NONE.withGroup(group).toText());
            engine.jobs().group(GROUP).whenAllEnded(engine.jobs().schedule(FOLLOWER));
            database.vacuum();
            long start = System.nanoTime();
            engine.start();
            ends.await(PATIENCE);
            long end = System.nanoTime();
            @Nullable Long call = followed.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (call == null) {
                throw new IllegalStateException("The job that follows the group has not run within " + PATIENCE);
            }
            return new Result(
                    jobs,
                    Duration.ofNanos(end - start),
                    Duration.ofNanos(call - end),
                    1 + followed.size(),
                    engine.jobs().group(GROUP).find().orElseThrow());
        }
    }
}
