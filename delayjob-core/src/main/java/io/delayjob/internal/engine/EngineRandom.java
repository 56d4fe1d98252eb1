package io.delayjob.internal.engine;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Each thread has its own generator, and no two threads or processes get the same numbers. Thread-safe, but not
 * suitable for secrets.
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
