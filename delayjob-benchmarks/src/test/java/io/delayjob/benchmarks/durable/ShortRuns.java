package io.delayjob.benchmarks.durable;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** What a few seconds of a benchmark need. */
final class ShortRuns {

    private ShortRuns() {}

    /** Skips the test where no server can be started; fails where databases are required. */
    static BenchmarkDatabase open() {
        try {
            return BenchmarkDatabase.open(url(), 20);
        } catch (UncheckedIOException cannotStart) {
            boolean required = Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_DATABASES"));
            Assumptions.assumeTrue(required, "no PostgreSQL: none is named, and none could be started here");
            throw cannotStart;
        }
    }

    /** Returns the URL of the server that is named; {@code null} to start one. */
    static @Nullable String url() {
        return System.getenv("DELAYJOB_TEST_POSTGRES_URL");
    }

    static Comparison.Result compare(String contender, Comparison.Scenario scenario, int jobs, int far)
            throws InterruptedException {
        return Comparison.run(url(), Contender.named(Set.of(contender)).get(contender), load(scenario, jobs, far));
    }

    static Comparison.Load load(Comparison.Scenario scenario, int jobs, int far) {
        return new Comparison.Load(
                scenario,
                jobs,
                far,
                1,
                8,
                Duration.ZERO,
                100,
                Duration.ofMillis(50),
                Duration.ofSeconds(3),
                Commits.DURABLE);
    }
}
