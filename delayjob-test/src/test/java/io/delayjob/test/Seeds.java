package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Runs a simulation for each of many seeds, on all processors, until one fails. */
final class Seeds {

    private static final int REPORT_EVERY = 10_000;
    private static final int LONGEST_SEED_MINUTES = 2;

    private final String what;
    private final long from;
    private final long count;
    private final LongFunction<Simulation.Outcome> simulation;
    private final AtomicLong next;
    private final AtomicReference<@Nullable AssertionError> failure = new AtomicReference<>();
    private final Set<Long> underWay = ConcurrentHashMap.newKeySet();
    private final Totals totals = new Totals();

    /**
     * @param what the name of the test
     * @param count number of seeds, unless {@code simulation.seeds} is set. The first seed is 1, unless {@code
     *     simulation.from} is set
     */
    Seeds(String what, long count, LongFunction<Simulation.Outcome> simulation) {
        this.what = what;
        this.from = Long.getLong("simulation.from", 1);
        this.count = Long.getLong("simulation.seeds", count);
        this.simulation = simulation;
        this.next = new AtomicLong(from);
    }

    /** Runs the simulations and prints a summary. */
    void run() {
        long started = System.nanoTime();
        int threads = Runtime.getRuntime().availableProcessors();
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        for (int i = 0; i < threads; i++) {
            workers.execute(this::work);
        }
        workers.shutdown();
        try {
            awaitEnd(workers);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        AssertionError error = failure.get();
        if (error != null) {
            throw error;
        }
        System.out.printf("%s: %s; %d s%n", what, totals, (System.nanoTime() - started) / 1_000_000_000);
    }

    private void awaitEnd(ExecutorService workers) throws InterruptedException {
        long before = -1;
        while (!workers.awaitTermination(LONGEST_SEED_MINUTES, TimeUnit.MINUTES)) {
            long ended = totals.seeds();
            assertThat(ended)
                    .as(
                            "%s: no simulation has ended for %d minutes, and these seeds are under way: %s",
                            what, LONGEST_SEED_MINUTES, underWay)
                    .isGreaterThan(before);
            before = ended;
        }
    }

    private void work() {
        long seed = next.getAndIncrement();
        while (seed < from + count && failure.get() == null) {
            underWay.add(seed);
            try {
                check(seed, simulation.apply(seed));
            } catch (RuntimeException | Error broken) {
                failure.compareAndSet(null, failed(seed, broken.toString(), broken));
            }
            underWay.remove(seed);
            seed = next.getAndIncrement();
        }
    }

    private void check(long seed, Simulation.Outcome outcome) {
        Judge.Violation violation = outcome.violation();
        if (violation != null) {
            String text = "%s: %s%n%s".formatted(violation.check(), violation.text(), outcome.story());
            failure.compareAndSet(null, failed(seed, text, null));
        }
        totals.add(outcome);
        long done = totals.seeds();
        if (done % REPORT_EVERY == 0 && done < count) {
            System.out.printf("%s, all before seed %d: %s%n", what, from + done, totals);
        }
    }

    private AssertionError failed(long seed, String text, @Nullable Throwable cause) {
        return new AssertionError("""
                Seed %d fails. Repeat it with:
                  ./mvnw -pl delayjob-test -am test -Dtest=SimulationTest#%s -Dsurefire.failIfNoSpecifiedTests=false \
                -Dsimulation.from=%d -Dsimulation.seeds=1
                %s""".formatted(seed, what, seed, text), cause);
    }
}
