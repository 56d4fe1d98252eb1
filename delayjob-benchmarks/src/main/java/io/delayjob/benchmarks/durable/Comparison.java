package io.delayjob.benchmarks.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * delayjob and its peers side by side, on one PostgreSQL, in one JVM, round by round in turn. Each prints a line a
 * round; at the end come the medians.
 */
public final class Comparison {

    private static final int CONNECTIONS = 64;
    private static final int SUBMITTERS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration FAR = Duration.ofDays(300);

    /** What is measured, by the name on the command line. */
    enum Scenario {
        /** Jobs that are due before the start: how many end durably in a second? */
        DRAIN("jobs/s"),
        /** Jobs of the future, one after the other from each of eight threads. */
        ENQUEUE("jobs/s"),
        /** Jobs of the future, by the contender's own way to schedule many at once. */
        BULK("jobs/s"),
        /** So many jobs a second at even distances: how late do they start? */
        LATENESS("ms, p50"),
        /** A minute with nothing but jobs of the far future in the table. */
        IDLE("statements/s");

        private final String unit;

        Scenario(String unit) {
            this.unit = unit;
        }
    }

    /**
     * What is asked of each.
     *
     * @param jobs that count
     * @param far jobs of the far future that lie in the table besides
     * @param instances that work at once
     * @param handling how long a handler waits
     */
    record Load(Scenario scenario, int jobs, int far, int instances, Duration handling, int rate, Duration ahead) {}

    /**
     * What came out.
     *
     * @param figure in the scenario's unit
     * @param remarks what else is worth to be known
     */
    record Result(double figure, long repeated, long early, String remarks) {}

    private final BenchmarkDatabase database;
    private final Contender contender;
    private final Load load;

    private Comparison(BenchmarkDatabase database, Contender contender, Load load) {
        this.database = database;
        this.contender = contender;
        this.load = load;
    }

    /**
     * Runs it.
     *
     * @param arguments {@code --scenario} (drain), {@code --contenders} (all; names with commas between), {@code
     *     --rounds} (3), {@code --jobs} (20,000), {@code --far} (0), {@code --instances} (1), {@code --handling}
     *     (PT0S), {@code --rate} (200) and {@code --ahead} (PT5S) of lateness, {@code --url}
     */
    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(
                arguments,
                Set.of(
                        "scenario",
                        "contenders",
                        "rounds",
                        "jobs",
                        "far",
                        "instances",
                        "handling",
                        "rate",
                        "ahead",
                        "url"));
        String scenario = options.text("scenario");
        Load load = new Load(
                scenario == null ? Scenario.DRAIN : Scenario.valueOf(scenario.toUpperCase(Locale.ROOT)),
                options.number("jobs", 20_000),
                options.number("far", 0),
                options.number("instances", 1),
                options.duration("handling", Duration.ZERO),
                options.number("rate", 200),
                options.duration("ahead", Duration.ofSeconds(5)));
        String names = options.text("contenders");
        Map<String, Contender> contenders =
                Contender.named(names == null ? Set.of() : Set.copyOf(Arrays.asList(names.split(","))));
        System.out.println(Machine.describe());
        System.out.println(load);
        contenders.forEach((name, contender) -> System.out.printf("%s: %s%n", name, contender.configuration()));
        Map<String, List<Result>> results = new TreeMap<>();
        for (int round = 1; round <= options.number("rounds", 3); round++) {
            for (Map.Entry<String, Contender> entry : contenders.entrySet()) {
                Result result = run(options.text("url"), entry.getValue(), load);
                results.computeIfAbsent(entry.getKey(), name -> new ArrayList<>())
                        .add(result);
                System.out.printf("%d %s: %s%n", round, entry.getKey(), describe(load, result));
            }
        }
        System.out.println("Medians");
        results.forEach((name, all) -> System.out.printf("  %s: %s%n", name, describe(load, median(all))));
        System.out.println(Machine.describe());
    }

    private static Result median(List<Result> results) {
        return results.stream()
                .sorted(Comparator.comparingDouble(Result::figure))
                .toList()
                .get(results.size() / 2);
    }

    private static String describe(Load load, Result result) {
        return "%,.2f %s; %d repeated, %d early; %s"
                .formatted(result.figure, load.scenario.unit, result.repeated, result.early, result.remarks);
    }

    /** One round of one of them, on tables of its own. */
    static Result run(@Nullable String url, Contender contender, Load load) throws InterruptedException {
        try (BenchmarkDatabase database = BenchmarkDatabase.openEmpty(url, CONNECTIONS)) {
            database.makeTables(contender::tables);
            return new Comparison(database, contender, load).run();
        }
    }

    private Result run() throws InterruptedException {
        Runs runs = new Runs(load.jobs, load.handling);
        List<Contender.Instance> instances = new ArrayList<>();
        try {
            for (int number = 1; number <= load.instances; number++) {
                instances.add(contender.open(database.dataSource(), runs, number));
            }
            fill(instances.get(0));
            return switch (load.scenario) {
                case DRAIN -> drain(instances, runs);
                case ENQUEUE -> enqueue(instances.get(0));
                case BULK -> bulk(instances.get(0));
                case LATENESS -> lateness(instances, runs);
                case IDLE -> idle(instances);
            };
        } finally {
            instances.forEach(Contender.Instance::close);
        }
    }

    private void fill(Contender.Instance instance) {
        for (int written = 0; written < load.far; written += 10_000) {
            instance.scheduleAll(far(Math.min(10_000, load.far - written)));
        }
    }

    private static List<Instant> far(int count) {
        return Collections.nCopies(count, Instant.now().plus(FAR));
    }

    private Result drain(List<Contender.Instance> instances, Runs runs) throws InterruptedException {
        instances
                .get(0)
                .scheduleAll(Collections.nCopies(load.jobs, Instant.now().minusSeconds(1)));
        database.vacuum();
        Meter before = Meter.read(database);
        instances.forEach(Contender.Instance::start);
        runs.await();
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (database.answers(contender.unfinished())) {
            if (System.nanoTime() - giveUp >= 0) {
                throw new IllegalStateException("Some jobs have not ended durably within " + PATIENCE);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        Meter spent = Meter.read(database).since(before);
        return new Result(load.jobs / spent.seconds(), runs.repeated(), runs.early.sum(), spent.perJob(load.jobs));
    }

    private Result enqueue(Contender.Instance instance) throws InterruptedException {
        Instant due = Instant.now().plus(FAR);
        ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS);
        Meter before = Meter.read(database);
        IntStream.range(0, SUBMITTERS)
                .forEach(submitter -> submitters.execute(() -> {
                    for (int i = submitter; i < load.jobs; i += SUBMITTERS) {
                        instance.schedule(due);
                    }
                }));
        submitters.shutdown();
        if (!submitters.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("Not scheduled within " + PATIENCE);
        }
        Meter spent = Meter.read(database).since(before);
        return new Result(load.jobs / spent.seconds(), 0, 0, spent.perJob(load.jobs));
    }

    private Result bulk(Contender.Instance instance) {
        List<Instant> due = far(load.jobs);
        Meter before = Meter.read(database);
        instance.scheduleAll(due);
        Meter spent = Meter.read(database).since(before);
        return new Result(load.jobs / spent.seconds(), 0, 0, spent.perJob(load.jobs));
    }

    /** Half of them before it counts; written beforehand, so that only their starts are measured. */
    private Result lateness(List<Contender.Instance> instances, Runs runs) throws InterruptedException {
        instances.forEach(Contender.Instance::start);
        Instant first = Instant.now().plus(load.ahead);
        List<Instant> due = IntStream.range(0, load.jobs)
                .mapToObj(i -> first.plusNanos(i * 1_000_000_000L / load.rate))
                .collect(Collectors.toList());
        Meter before = Meter.read(database);
        Contender.Instance submitting = instances.get(0);
        if (load.ahead.compareTo(Duration.ofSeconds(1)) >= 0) {
            submitting.scheduleAll(due);
        } else {
            for (Instant instant : due) {
                runs.parkUntil(instant.minus(load.ahead));
                submitting.schedule(instant);
            }
        }
        runs.await();
        Meter spent = Meter.read(database).since(before);
        Latenesses.Summary lateness = runs.latenesses.summary();
        return new Result(
                lateness.p50().toNanos() / 1e6,
                runs.repeated(),
                runs.early.sum(),
                "%s; %s".formatted(lateness, spent.perJob(load.jobs)));
    }

    private Result idle(List<Contender.Instance> instances) {
        database.vacuum();
        instances.forEach(Contender.Instance::start);
        LockSupport.parkNanos(Duration.ofSeconds(10).toNanos());
        Meter before = Meter.read(database);
        LockSupport.parkNanos(Duration.ofMinutes(1).toNanos());
        Meter spent = Meter.read(database).since(before);
        return new Result(
                spent.counts().statements() / spent.seconds(),
                0,
                0,
                "CPU %.2f + %.2f %% of a core"
                        .formatted(
                                spent.ownCpu().toNanos() / 1e9 / spent.seconds() * 100,
                                spent.serverCpu().toNanos() / 1e9 / spent.seconds() * 100));
    }

    /** Takes note of each start of a job. */
    private static final class Runs implements Contender.Work {

        private final int expected;
        private final Duration handling;
        private final CountDownLatch left;
        private final LongAdder starts = new LongAdder();
        private final LongAdder early = new LongAdder();
        private final Latenesses latenesses;

        Runs(int expected, Duration handling) {
            this.expected = expected;
            this.handling = handling;
            this.left = new CountDownLatch(expected);
            this.latenesses = new Latenesses(expected / 2);
        }

        @Override
        public void run(Instant due) throws InterruptedException {
            Duration lateness = Duration.between(due, Instant.now());
            if (lateness.isNegative()) {
                early.increment();
            }
            latenesses.add(lateness);
            if (!handling.isZero()) {
                TimeUnit.NANOSECONDS.sleep(handling.toNanos());
            }
            starts.increment();
            left.countDown();
        }

        void parkUntil(Instant instant) {
            Duration rest;
            while ((rest = Duration.between(Instant.now(), instant)).compareTo(Duration.ZERO) > 0) {
                LockSupport.parkNanos(rest.toNanos());
            }
        }

        void await() throws InterruptedException {
            if (!left.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "%d of %d jobs have not started within %s".formatted(left.getCount(), expected, PATIENCE));
            }
        }

        long repeated() {
            return starts.sum() - expected;
        }
    }
}
