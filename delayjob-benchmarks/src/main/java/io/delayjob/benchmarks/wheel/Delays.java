package io.delayjob.benchmarks.wheel;

import java.util.random.RandomGenerator;

/** What is scheduled, and for when. */
final class Delays {

    /** Costs nothing to run and takes no memory. */
    static final Runnable NOTHING = () -> {};

    private static final long SECOND = 1_000_000_000L;

    private Delays() {}

    /** Uniform from one minute to an hour: nothing comes due in a benchmark. */
    static long far(RandomGenerator random) {
        return random.nextLong(60 * SECOND, 3600 * SECOND);
    }
}
