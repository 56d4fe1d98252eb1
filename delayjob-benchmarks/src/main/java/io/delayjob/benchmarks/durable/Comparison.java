package io.delayjob.benchmarks.durable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares delayjob with its peers on one PostgreSQL, in one JVM, in turn in each round. Each prints one line per
 * round. At the end the median of each figure is printed.
 */
public final class Comparison {

    private static final int CONNECTIONS = 64;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration FAR = Duration.ofDays(300);
    private static final int AT_ONCE = 10_000;
    private static final Duration KEEPING_UP = Duration.ofSeconds(1);
    private static final Duration SETTLING = Duration.ofSeconds(10);

    /** The scenarios, by their names on the command line. */
    enum Scenario {
        /** Jobs that are due before the start. Measures how many end durably per second. */
        DRAIN(false),
        /** Jobs of the future, scheduled one after the other by several threads. */
        ENQUEUE(false),
        /** Jobs of the future, ten thousand in each call of the contender's own method for many jobs. */
        BULK(false),
        /** A number of jobs per second, at even distances. Measures how late they start. */
        LATENESS(true),
        /** A number of jobs per second, each scheduled by itself some time ahead. Measures the cost of one. */
        STEADY(true),
        /** Only jobs of the far future in the table. Measures the number of statements per second. */
        IDLE(true);

        /** Whether it needs a contender that waits for jobs to come due. */
        private final boolean waits;

        Scenario(boolean waits) {
            this.waits = waits;
        }
    }

    /**
     * The load on each contender.
     *
     * @param jobs number of jobs that count
     * @param far number of further jobs in the table, due in the far future
     * @param instances number of instances that work at the same time
     * @param submitters number of threads that write jobs one by one
     * @param handling time that a handler waits
     * @param rate number of jobs due per second, for lateness
     * @param ahead time from writing a job to its due time, for lateness
     * @param watch time for which an idle contender is watched
     * @param commits durability of commits when they are answered
     */
    record Load(
            Scenario scenario,
            int jobs,
            int far,
            int instances,
            int submitters,
            Duration handling,
            int rate,
            Duration ahead,
            Duration watch,
            Commits commits) {

        /** Returns the part of the description that differs between the loads of one run. */
        private String variation() {
            return " (%d far, %d instances, %d submitters)".formatted(far, instances, submitters);
        }
    }

    /**
     * The result.
     *
     * @param figures the figure in question, and further useful ones
     * @param early jobs that started before their time
     * @param behind jobs that should have ended long before the end of the load but had not; 0 if it kept up
     */
    record Result(List<Figure> figures, long repeated, long early, long behind) {

        /** Makes the result of a rate, with the cost of each job. */
        static Result rate(int jobs, Meter spent, long repeated, long early) {
            List<Figure> figures = new ArrayList<>();
            figures.add(new Figure("%,.0f jobs/s", jobs / spent.seconds()));
            figures.addAll(spent.perJob(jobs));
            return new Result(figures, repeated, early, 0);
        }

        /**
         * Returns the median of each figure over the rounds after the warm-up, and all repeated or early jobs of any
         * round.
         */
        static Result median(List<Result> rounds, int warmUps) {
            List<Result> counted = rounds.subList(warmUps, rounds.size());
            return new Result(
                    IntStream.range(0, counted.get(0).figures.size())
                            .mapToObj(i -> Figure.median(counted.stream()
                                    .map(round -> round.figures.get(i))
                                    .toList()))
                            .toList(),
                    rounds.stream().mapToLong(Result::repeated).sum(),
                    rounds.stream().mapToLong(Result::early).sum(),
                    rounds.stream().mapToLong(Result::behind).sum());
        }

        @Override
        public String toString() {
            return "%s; %d repeated, %d early%s"
                    .formatted(
                            figures.stream().map(Figure::toString).collect(Collectors.joining(", ")),
                            repeated,
                            early,
                            behind == 0
                                    ? ""
                                    : "; did NOT KEEP UP: %d ended long after the load was over".formatted(behind));
        }
    }

    private final BenchmarkDatabase database;
    private final Contender contender;
    private final Load load;

    private Comparison(BenchmarkDatabase database, Contender contender, Load load) {
        this.database = database;
        this.contender = contender;
        this.load = load;
    }

    /**
     * Runs the comparison.
     *
     * @param arguments {@code --scenario} (drain), {@code --contenders} (all; names with commas between), {@code
     *     --rounds} (3), {@code --warm-up-rounds} (2) ahead of them, {@code --jobs} (20,000), {@code --far} (0), {@code
     *     --instances} (1) and {@code --submitters} (8), each one number or several with commas between, {@code --handling} (PT0S), {@code
     *     --rate} (200) and {@code --ahead} (PT5S) of lateness, {@code --watch} (PT1M) of idle, {@code --commits}
     *     (durable; or asynchronous), {@code --url}
     */
    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(
                arguments,
                Set.of(
                        "scenario",
                        "contenders",
                        "rounds",
                        "warm-up-rounds",
                        "jobs",
                        "far",
                        "instances",
                        "submitters",
                        "handling",
                        "rate",
                        "ahead",
                        "watch",
                        "commits",
                        "url"));
        String names = options.text("contenders");
        Map<String, Contender> contenders =
                Contender.named(names == null ? Set.of() : Set.copyOf(Arrays.asList(names.split(","))));
        List<Load> loads = loads(options);
        if (loads.get(0).scenario.waits) {
            contenders.values().removeIf(contender -> !contender.waits());
        }
        System.out.println(Machine.describe());
        loads.forEach(System.out::println);
        System.out.println(loads.get(0).commits.description());
        contenders.forEach((name, contender) -> System.out.printf("%s: %s%n", name, contender.configuration()));
        Map<String, List<Result>> results = new TreeMap<>();
        List<Map.Entry<String, Contender>> order = new ArrayList<>(contenders.entrySet());
        int warmUps = options.number("warm-up-rounds", 2);
        int rounds = warmUps + options.number("rounds", 3);
        for (int round = 1; round <= rounds; round++) {
            // The order changes each round. Otherwise a contender would always follow the same other one, whose log the
            // server still has to write.
            Collections.reverse(order);
            for (Map.Entry<String, Contender> entry : order) {
                for (Load load : loads) {
                    Result result = run(options.text("url"), entry.getValue(), load);
                    String name = loads.size() == 1 ? entry.getKey() : entry.getKey() + load.variation();
                    results.computeIfAbsent(name, key -> new ArrayList<>()).add(result);
                    String number = round <= warmUps ? "warm-up " + round : Integer.toString(round - warmUps);
                    System.out.printf("%s %s: %s%n", number, name, result);
                }
            }
        }
        System.out.println("Medians");
        results.forEach((name, all) -> System.out.printf("  %s: %s%n", name, Result.median(all, warmUps)));
        System.out.println(Machine.describe());
    }

    /** Returns every combination of far rows, instances and submitters, so that their ratio comes from one run. */
    private static List<Load> loads(Options options) {
        List<Load> loads = new ArrayList<>();
        for (int far : options.numbers("far", 0)) {
            for (int instances : options.numbers("instances", 1)) {
                for (int submitters : options.numbers("submitters", 8)) {
                    loads.add(load(options, far, instances, submitters));
                }
            }
        }
        return loads;
    }

    private static Load load(Options options, int far, int instances, int submitters) {
        return new Load(
                options.oneOf("scenario", Scenario.DRAIN),
                options.number("jobs", 20_000),
                far,
                instances,
                submitters,
                options.duration("handling", Duration.ZERO),
                options.number("rate", 200),
                options.duration("ahead", Duration.ofSeconds(5)),
                options.duration("watch", Duration.ofMinutes(1)),
                options.oneOf("commits", Commits.DURABLE));
    }

    /** Runs one round of a contender, on tables of its own. */
    static Result run(@Nullable String url, Contender contender, Load load) throws InterruptedException {
        try (BenchmarkDatabase database = BenchmarkDatabase.openEmpty(url, CONNECTIONS, load.commits)) {
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
            scheduleFar(instances.get(0), load.far);
            return switch (load.scenario) {
                case DRAIN -> drain(instances, runs);
                case ENQUEUE -> enqueue(instances.get(0));
                case BULK -> bulk(instances.get(0));
                case LATENESS -> lateness(instances, runs);
                case STEADY -> steady(instances, runs);
                case IDLE -> idle(instances);
            };
        } finally {
            instances.forEach(Contender.Instance::close);
        }
    }

    private static void scheduleFar(Contender.Instance instance, int count) {
        Instant due = Instant.now().plus(FAR);
        for (int written = 0; written < count; written += AT_ONCE) {
            instance.scheduleBulk(Math.min(AT_ONCE, count - written), due);
        }
    }

    private Result drain(List<Contender.Instance> instances, Runs runs) throws InterruptedException {
        instances
                .get(0)
                .scheduleAll(Collections.nCopies(load.jobs, Instant.now().minusSeconds(1)));
        database.vacuum();
        Meter before = Meter.read(database);
        instances.forEach(Contender.Instance::start);
        runs.awaitEnds(PATIENCE);
        Meter spent = Meter.read(database).since(before);
        // Reads the table only now, because that costs time and CPU as well. The measurement counts if no job is left.
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (database.answers(contender.unfinished())) {
            if (System.nanoTime() - giveUp >= 0) {
                throw new IllegalStateException("Some jobs have not ended durably within " + PATIENCE);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            spent = Meter.read(database).since(before);
        }
        return Result.rate(load.jobs, spent, runs.repeated(), runs.early());
    }

    private Result enqueue(Contender.Instance instance) throws InterruptedException {
        Instant due = Instant.now().plus(FAR);
        Meter before = Meter.read(database);
        Threads.runAll(load.submitters, PATIENCE, submitter -> {
            for (int i = submitter; i < load.jobs && !Thread.interrupted(); i += load.submitters) {
                instance.schedule(due);
            }
        });
        return Result.rate(load.jobs, Meter.read(database).since(before), 0, 0);
    }

    private Result bulk(Contender.Instance instance) {
        Meter before = Meter.read(database);
        scheduleFar(instance, load.jobs);
        return Result.rate(load.jobs, Meter.read(database).since(before), 0, 0);
    }

    /**
     * Measures lateness. The first half of the jobs does not count. Jobs due in a second or later are written all at
     * once beforehand, so that only their starts are measured. Others are written one by one by several threads, each
     * the given time ahead.
     */
    private Result lateness(List<Contender.Instance> instances, Runs runs) throws InterruptedException {
        instances.forEach(Contender.Instance::start);
        boolean beforehand = load.ahead.compareTo(Duration.ofSeconds(1)) >= 0;
        Duration writing = beforehand ? contender.timeToWrite(load.jobs) : Duration.ZERO;
        List<Instant> due = dueTimes(Instant.now().plus(load.ahead).plus(writing));
        Meter before = Meter.read(database);
        Contender.Instance submitting = instances.get(0);
        LongAdder writtenLate = new LongAdder();
        if (beforehand) {
            submitting.scheduleAll(due);
            Instant written = Instant.now();
            writtenLate.add(due.stream().filter(written::isAfter).count());
        } else {
            Threads.runAll(load.submitters, patienceOfSubmitters(), submitter -> {
                for (int i = submitter; i < load.jobs && !Thread.interrupted(); i += load.submitters) {
                    parkUntil(due.get(i).minus(load.ahead));
                    submitting.schedule(due.get(i));
                    if (Instant.now().isAfter(due.get(i))) {
                        writtenLate.increment();
                    }
                }
            });
        }
        // A contender that keeps up has ended all by then, except those that it has yet to find.
        parkUntil(due.get(load.jobs - 1).plus(contender.poll()).plus(KEEPING_UP));
        long behind = runs.left();
        boolean allEnded = runs.endWithin(PATIENCE);
        Meter spent = Meter.read(database).since(before);
        List<Figure> figures = new ArrayList<>(runs.latenesses().summary().figures());
        figures.add(new Figure("%,.0f written after their time", writtenLate.sum()));
        figures.addAll(spent.perJob(load.jobs));
        return new Result(figures, allEnded ? runs.repeated() : 0, runs.early(), behind);
    }

    /**
     * Jobs are scheduled and run at the same rate. The first half warms up; then the costs of both sides are measured
     * until the last job is written.
     */
    private Result steady(List<Contender.Instance> instances, Runs runs) throws InterruptedException {
        instances.forEach(Contender.Instance::start);
        List<Instant> due = dueTimes(Instant.now().plus(load.ahead));
        int half = load.jobs / 2;
        CompletableFuture<Meter> before = new CompletableFuture<>();
        Threads.runAll(load.submitters + 1, patienceOfSubmitters(), thread -> {
            if (thread == load.submitters) {
                parkUntil(due.get(half).minus(load.ahead));
                before.complete(Meter.read(database));
                return;
            }
            for (int i = thread; i < load.jobs && !Thread.interrupted(); i += load.submitters) {
                parkUntil(due.get(i).minus(load.ahead));
                instances.get(0).schedule(due.get(i));
            }
        });
        Meter spent = Meter.read(database).since(before.join());
        runs.awaitEnds(PATIENCE);
        List<Figure> figures = new ArrayList<>(runs.latenesses().summary().figures());
        figures.add(new Figure("%,.0f jobs/s", (load.jobs - half) / spent.seconds()));
        figures.addAll(spent.perJob(load.jobs - half));
        return new Result(figures, runs.repeated(), runs.early(), 0);
    }

    /** Due times at even distances, in whole milliseconds, because delayjob keeps no finer ones. */
    private List<Instant> dueTimes(Instant first) {
        Instant start = first.truncatedTo(ChronoUnit.MILLIS);
        return IntStream.range(0, load.jobs)
                .mapToObj(i -> start.plusNanos(i * 1_000_000_000L / load.rate))
                .toList();
    }

    private Duration patienceOfSubmitters() {
        return PATIENCE.plusSeconds(load.jobs / load.rate);
    }

    private Result idle(List<Contender.Instance> instances) {
        database.vacuum();
        instances.forEach(Contender.Instance::start);
        parkUntil(Instant.now().plus(SETTLING.compareTo(load.watch) < 0 ? SETTLING : load.watch));
        Meter before = Meter.read(database);
        parkUntil(Instant.now().plus(load.watch));
        Meter spent = Meter.read(database).since(before);
        long onJobs = spent.counts().statementsOn(contender.jobTables());
        return new Result(
                List.of(
                        new Figure("%.2f statements/s", spent.counts().statements() / spent.seconds()),
                        new Figure("%.2f of them on the table of jobs", onJobs / spent.seconds()),
                        new Figure("CPU %.2f %% of a core", spent.ownCpu().toNanos() / 1e9 / spent.seconds() * 100),
                        new Figure(
                                "the server's CPU %.2f %%", spent.serverCpu().toNanos() / 1e9 / spent.seconds() * 100)),
                0,
                0,
                0);
    }

    private static void parkUntil(Instant instant) {
        Duration rest;
        while ((rest = Duration.between(Instant.now(), instant)).compareTo(Duration.ZERO) > 0) {
            LockSupport.parkNanos(rest.toNanos());
        }
    }
}
