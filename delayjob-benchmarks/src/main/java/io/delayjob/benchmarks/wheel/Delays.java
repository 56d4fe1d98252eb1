package io.delayjob.benchmarks.wheel;

import java.util.random.RandomGenerator;

/** Tasks and delays of the benchmarks. */
final class Delays {

    static final Runnable NOTHING = () -> {};

    private static final long SECOND = 1_000_000_000L;

    private Delays() {}

    /** Returns a delay of at least one minute, so that no timer becomes due in a benchmark. */
    static long far(RandomGenerator random) {
        return random.nextLong(60 * SECOND, 3600 * SECOND);
    }
}
