package io.delayjob.benchmarks.wheel;

import io.delayjob.wheel.TimingWheel;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Measures the CPU time of the longest poll of the timing wheel. Very many timers are due at almost the same time. */
public final class LongestPoll {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MILLION = 1_000_000;
    private static final int ROUNDS = 6;
    private static final long TICK_NANOS = TimingWheel.DEFAULT_TICK.toNanos();
    private static final long LEVEL_3_SLOT_NANOS = TICK_NANOS << 24;
    private static final long BEGIN = 3 * LEVEL_3_SLOT_NANOS;

    private LongestPoll() {}

    enum Crowd {
        /** A slot of level 3 lasts 137 s. */
        SLOT_OF_LEVEL_3(LEVEL_3_SLOT_NANOS, 0),
        /** A slot of level 1 lasts 2 ms. */
        SLOT_OF_LEVEL_1(TICK_NANOS << 8, 0),
        TICK(TICK_NANOS, 0),
        /** The clock jumps to the middle of a slot of level 3, as if the machine had slept. */
        LEAP_INTO_LEVEL_3(LEVEL_3_SLOT_NANOS, LEVEL_3_SLOT_NANOS / 2),
        /** The clock jumps over two of four slots of level 1. */
        LEAP_OVER_LEVEL_1(TICK_NANOS << 10, TICK_NANOS << 9);

        private final long widthNanos;
        private final long leapNanos;

        Crowd(long widthNanos, long leapNanos) {
            this.widthNanos = widthNanos;
            this.leapNanos = leapNanos;
        }
    }

    /** @param arguments number of timers; the default is a million */
    public static void main(String[] arguments) {
        int timers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : MILLION;
        for (int round = 0; round < ROUNDS; round++) {
            for (Crowd crowd : Crowd.values()) {
                Longest longest = measure(crowd, timers, round);
                System.out.printf(
                        "%s: longest poll: %.2f ms of CPU; timers moved by one poll, at most: %d; fired: %d%n",
                        crowd, longest.cpuNanos / 1e6, longest.moved, longest.fired);
            }
        }
    }

    static Longest measure(Crowd crowd, int timers, long seed) {
        AtomicLong clock = new AtomicLong();
        AtomicInteger fired = new AtomicInteger();
        TimingWheel wheel = TimingWheel.builder(clock::get).polledByOwner(() -> {});
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < timers; i++) {
            wheel.scheduleAt(fired::incrementAndGet, BEGIN + random.nextLong(crowd.widthNanos));
        }
        long wait = wheel.poll();
        if (crowd.leapNanos > 0) {
            clock.set(BEGIN + crowd.leapNanos);
            wait = 0;
        }
        Longest longest = new Longest(0, 0, 0);
        while (wait != Long.MAX_VALUE) {
            clock.addAndGet(wait);
            long movedBefore = wheel.cascades();
            int firedBefore = fired.get();
            long before = THREADS.getCurrentThreadCpuTime();
            wait = wheel.poll();
            long cpuNanos = THREADS.getCurrentThreadCpuTime() - before;
            longest = longest.or(new Longest(cpuNanos, wheel.cascades() - movedBefore, fired.get() - firedBefore));
        }
        if (fired.get() != timers) {
            throw new IllegalStateException("%d of %d timers fired".formatted(fired.get(), timers));
        }
        return longest;
    }

    /**
     * @param moved maximum number of timers that one poll has moved to a lower level
     * @param fired maximum number of timers that one poll has fired
     */
    record Longest(long cpuNanos, long moved, int fired) {

        Longest or(Longest other) {
            return new Longest(
                    Math.max(cpuNanos, other.cpuNanos), Math.max(moved, other.moved), Math.max(fired, other.fired));
        }
    }
}
