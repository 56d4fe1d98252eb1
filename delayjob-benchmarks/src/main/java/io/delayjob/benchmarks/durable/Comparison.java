package io.delayjob.benchmarks.durable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares delayjob with other schedulers (contenders) on one PostgreSQL server, in one JVM. The contenders take turns
 * in each round, and the medians are printed.
 */
public final class Comparison {

    private static final int CONNECTIONS = 64;
    private static final String STORE = "--store=";

    enum Scenario {
        /** All jobs are due before the engines start. Measures how many jobs end durably per second. */
        DRAIN(false),
        /** Several threads schedule future jobs one by one. */
        ENQUEUE(false),
        /** Each call schedules ten thousand future jobs, with the contender's own method for many jobs. */
        BULK(false),
        /** Jobs become due at equal intervals. Measures how late the jobs start. */
        LATENESS(true),
        /** A separate call schedules each job some time before its due time. Measures the cost of one job. */
        STEADY(true),
        /** The table contains only jobs of the far future. Measures the statements per second. */
        IDLE(true);

        private final boolean waits;

        Scenario(boolean waits) {
            this.waits = waits;
        }
    }

    /**
     * @param far number of further jobs in the table, which are due in the far future
     * @param submitters number of threads that write jobs one by one
     * @param handling time that a handler waits in each call
     * @param rate number of jobs that become due per second, in scenarios that wait for due times
     * @param ahead time from the write of a job to its due time, in scenarios that wait for due times
     * @param watch how long a contender without work is watched
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

        private String variation() {
            return " (%d far, %d instances, %d submitters)".formatted(far, instances, submitters);
        }
    }

    /**
     * @param early number of jobs that started before their due time
     * @param behind number of jobs that ended long after the last due time; 0 if the contender kept up
     */
    record Result(List<Figure> figures, long repeated, long early, long behind) {

        static Result rate(int jobs, Meter spent, long repeated, long early) {
            List<Figure> figures = new ArrayList<>();
            figures.add(new Figure("%,.0f jobs/s", jobs / spent.seconds()));
            figures.addAll(spent.perJob(jobs));
            return new Result(figures, repeated, early, 0);
        }

        /** The figures are medians over the rounds after the warm-up. Other numbers are sums over all rounds. */
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

    private Comparison() {}

    private static String store(String[] arguments) {
        return Arrays.stream(arguments)
                .filter(argument -> argument.startsWith(STORE))
                .map(argument -> argument.substring(STORE.length()))
                .findFirst()
                .orElse("postgresql");
    }

    /**
     * @param arguments the options, with their defaults in parentheses: {@code --scenario} (drain),
     *     {@code --contenders} (all; names with commas between), {@code --rounds} (3), {@code --warm-up-rounds} (2),
     *     {@code --jobs} (20,000), {@code --handling} (PT0S), {@code --commits} (durable; or asynchronous),
     *     {@code --url}. One number, or several with commas between: {@code --far} (0), {@code --instances} (1),
     *     {@code --submitters} (8). Scenario lateness: {@code --rate} (200), {@code --ahead} (PT5S). Scenario idle:
     *     {@code --watch} (PT1M). With {@code --store=redis}: the options of {@link RedisComparison}
     */
    public static void main(String[] arguments) throws Exception {
        if (store(arguments).equals("redis")) {
            RedisComparison.main(arguments);
            return;
        }
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
                        "store",
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
            // Otherwise, a contender would always run while the server still writes the log of the same predecessor.
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

    static Result run(@Nullable String url, Contender contender, Load load) throws InterruptedException {
        try (BenchmarkDatabase database = BenchmarkDatabase.openEmpty(url, CONNECTIONS, load.commits)) {
            database.makeTables(contender.tables());
            return new ScenarioRun(database, contender, load).run();
        }
    }
}
