package io.delayjob.benchmarks.durable;

import io.delayjob.benchmarks.durable.CountingDataSource.Counts;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long after its due time a durable job starts. The rate of the jobs is fixed, even if the engine is too
 * slow.
 *
 * <p>If a job is due within the window, the engine adds the job to the timing wheel after the commit. A job that is due
 * later is read from the table. The benchmark measures both kinds of jobs.
 */
public final class LatenessBenchmark {

    private static final String JOB = "measured";

    /**
     * @param warmUp time in which jobs are scheduled but not counted
     * @param ahead time from the scheduling of a job to its due time
     * @param viewers number of people who keep the dashboard open
     */
    record Load(int rate, Duration warmUp, Duration duration, Duration window, Duration ahead, int viewers) {

        int warmUpJobs() {
            return jobs(warmUp);
        }

        int jobs(Duration during) {
            return Math.toIntExact(rate * during.toMillis() / 1_000);
        }
    }

    /**
     * @param byEngine lateness by the engine's estimate of the database's time
     * @param byMachine lateness by the clock of this machine; {@code null} if the database has another clock
     * @param floor lateness that the machine and its database cause without the engine
     * @param counts statements and commits for all jobs, including their INSERTs
     */
    record Result(
            Load load,
            Latenesses.Summary byEngine,
            Latenesses.@Nullable Summary byMachine,
            Floor.Summary floor,
            Counts counts,
            long repeated,
            String viewed) {

        List<Figure> ratiosTo(Result other) {
            return List.of(
                    ratio("p50", byEngine.p50(), other.byEngine.p50()),
                    ratio("p99", byEngine.p99(), other.byEngine.p99()),
                    ratio("p99.9", byEngine.p999(), other.byEngine.p999()));
        }

        private static Figure ratio(String of, Duration value, Duration other) {
            return new Figure(of + " × %.2f", value.toNanos() / (double) other.toNanos());
        }

        @Override
        public String toString() {
            int jobs = load.warmUpJobs() + load.jobs(load.duration);
            return """
                %d jobs/s, %s ahead, window %s, for %s, %d viewers
                  by the engine's clock: %s%s
                  meanwhile, of others:
                  %s
                  statements per job, its INSERT and all reads included: %.2f, commits %.2f; %d repeated
                  viewers: %s
                """.formatted(
                            load.rate,
                            load.ahead,
                            load.window,
                            load.duration,
                            load.viewers,
                            byEngine,
                            byMachine == null ? "" : "%n  by the machine's clock: %s".formatted(byMachine),
                            floor,
                            counts.statements() / (double) jobs,
                            counts.commits() / (double) jobs,
                            repeated,
                            viewed);
        }
    }

    private LatenessBenchmark() {}

    /**
     * @param arguments the options, with their defaults in parentheses: {@code --url} or {@code --data}; {@code --rate}
     *     (200); {@code --duration} (PT60S); {@code --warm-up} (PT10S); {@code --ahead} (first 50 ms, then more than a
     *     window); {@code --viewers}, one or several numbers (0); {@code --rows}, number of waiting jobs in the tables
     *     before the measurement, and also number of ended jobs (0); {@code --rounds} (1); {@code --warm-up-rounds} (0)
     */
    public static void main(String[] arguments) throws InterruptedException {
        Options options = Options.parse(
                arguments,
                Set.of(
                        "url",
                        "data",
                        "rate",
                        "duration",
                        "warm-up",
                        "ahead",
                        "viewers",
                        "rows",
                        "rounds",
                        "warm-up-rounds"));
        Duration window = EngineSettings.defaults("benchmark#1").preload().window();
        System.out.println(Machine.describe());
        List<Duration> aheads = options.text("ahead") == null
                ? List.of(Duration.ofMillis(50), window.plusSeconds(2))
                : List.of(options.duration("ahead", window));
        for (Duration ahead : aheads) {
            List<Load> loads = options.numbers("viewers", 0).stream()
                    .map(viewers -> new Load(
                            options.number("rate", 200),
                            options.duration("warm-up", Duration.ofSeconds(10)),
                            options.duration("duration", Duration.ofSeconds(60)),
                            window,
                            ahead,
                            viewers))
                    .toList();
            try (BenchmarkDatabase database = options.database(20)) {
                int rows = options.number("rows", 0);
                if (rows > 0) {
                    new ManyRows(database).fill(rows, rows);
                }
                runInTurn(database, loads, options.number("warm-up-rounds", 0), options.number("rounds", 1));
            }
        }
        System.out.println(Machine.describe());
    }

    private static void runInTurn(BenchmarkDatabase database, List<Load> loads, int warmUps, int rounds)
            throws InterruptedException {
        List<List<Result>> results = new ArrayList<>();
        loads.forEach(load -> results.add(new ArrayList<>()));
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, loads.size()).boxed().toList());
        for (int round = 1; round <= warmUps + rounds; round++) {
            for (int i : order) {
                Result result = run(database, loads.get(i));
                System.out.print(result);
                if (round > warmUps) {
                    results.get(i).add(result);
                }
            }
            Collections.reverse(order);
        }
        if (rounds > 1) {
            System.out.printf("Medians of %d rounds%n", rounds);
            List<Result> first = results.get(0);
            for (List<Result> each : results) {
                System.out.printf(
                        "  %d viewers: %s; beside %d viewers in the same round: %s%n",
                        each.get(0).load.viewers,
                        medians(each.stream()
                                .map(result -> result.byEngine.figures())
                                .toList()),
                        first.get(0).load.viewers,
                        medians(IntStream.range(0, rounds)
                                .mapToObj(round -> each.get(round).ratiosTo(first.get(round)))
                                .toList()));
            }
        }
    }

    private static String medians(List<List<Figure>> rounds) {
        return IntStream.range(0, rounds.get(0).size())
                .mapToObj(i -> Figure.median(
                                rounds.stream().map(round -> round.get(i)).toList())
                        .toString())
                .collect(Collectors.joining(", "));
    }

    static Result run(BenchmarkDatabase database, Load load) throws InterruptedException {
        int warmUp = load.warmUpJobs();
        int counted = load.jobs(load.duration);
        Recorder recorder = new Recorder(warmUp, counted);
        EngineSettings settings = EngineSettings.defaults("benchmark#1").toBuilder()
                .window(load.window)
                .build();
        try (Floor floor = database.floor();
                BenchmarkEngine engine =
                        new BenchmarkEngine(database.dataSource(), settings, recorder, List.of(recorder.handler()));
                Viewers viewers = new Viewers(engine, load.viewers)) {
            recorder.atEndOfWarmUp(floor::count);
            engine.start();
            Counts before = database.dataSource().counts();
            // At a thousand jobs a second, this thread waits for commits half of its time.
            Pace.keep(
                    load.rate,
                    warmUp + counted,
                    () -> engine.jobs().schedule(JOB).after(load.ahead));
            recorder.ends.await(load.ahead.plusMinutes(1));
            return new Result(
                    load,
                    recorder.byEngine.summary(),
                    database.isLocal() ? recorder.byMachine.summary() : null,
                    floor.summary(),
                    database.dataSource().counts().since(before),
                    recorder.ends.repeated(),
                    load.viewers == 0 ? "none" : viewers.toString());
        }
    }

    private static final class Recorder implements JobListener {
        private final Ends ends;
        private final Latenesses byEngine;
        private final Latenesses byMachine;
        private final AtomicInteger warmUpLeft;
        private volatile Runnable endOfWarmUp = () -> {};

        Recorder(int warmUp, int counted) {
            this.ends = new Ends(JOB, warmUp + counted);
            this.byEngine = new Latenesses(warmUp);
            this.byMachine = new Latenesses(warmUp);
            this.warmUpLeft = new AtomicInteger(warmUp);
        }

        void atEndOfWarmUp(Runnable action) {
            endOfWarmUp = action;
        }

        Handler handler() {
            return Handler.named(JOB).calls((arguments, job) -> {
                Instant now = Instant.EPOCH.plus(StoreClock.wallMicros(), ChronoUnit.MICROS);
                byMachine.add(Duration.between(job.dueAt(), now));
                return null;
            });
        }

        @Override
        public void started(Job job, Duration lateness) {
            byEngine.add(lateness);
            if (warmUpLeft.getAndDecrement() == 0) {
                endOfWarmUp.run();
            }
            ends.started(job, lateness);
        }

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            ends.completed(job, outcome, next, took);
        }
    }
}
