package io.delayjob.internal.engine;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Supplies random numbers for an engine. Each thread has its own generator. The seeds of all these generators come from
 * one generator, whose own seed comes from the operating system. Therefore no two threads or processes get the same
 * numbers. This generator is fast and thread-safe, but is not suitable for secrets.
 */
public final class EngineRandom implements RandomGenerator {

    private final SplittableRandom origin = new SplittableRandom(new SecureRandom().nextLong());
    private final ThreadLocal<SplittableRandom> generators = ThreadLocal.withInitial(this::split);

    private synchronized SplittableRandom split() {
        return origin.split();
    }

    @Override
    public long nextLong() {
        return generators.get().nextLong();
    }
}
