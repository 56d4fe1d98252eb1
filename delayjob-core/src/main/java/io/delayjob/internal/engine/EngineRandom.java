package io.delayjob.internal.engine;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Randomness for an engine. Each thread has its own generator, split off one whose seed is drawn from the system. So
 * neither threads nor processes draw the same numbers. Quick, and safe for use by many threads; not for secrets.
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
