package io.delayjob.benchmarks.wheel;

import java.util.random.RandomGenerator;

/** Contains tasks and delays of the benchmarks. */
final class Delays {

    /** A task that costs nothing to run and takes no memory. */
    static final Runnable NOTHING = () -> {};

    private static final long SECOND = 1_000_000_000L;

    private Delays() {}

    /**
     * Returns a random delay between one minute and one hour, uniformly distributed, so that no timer becomes due in a
     * benchmark.
     */
    static long far(RandomGenerator random) {
        return random.nextLong(60 * SECOND, 3600 * SECOND);
    }
}
