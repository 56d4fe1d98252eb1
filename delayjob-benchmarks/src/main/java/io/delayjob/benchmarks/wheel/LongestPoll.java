package io.delayjob.benchmarks.wheel;

import io.delayjob.wheel.TimingWheel;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long the wheel stops if a slot of an upper level holds very many timers: the CPU time of the longest poll that
 * fires them. The clock is virtual and moves to each time at which the wheel asks to be polled.
 */
public final class LongestPoll {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MILLION = 1_000_000;
    private static final int ROUNDS = 6;
    private static final long SLOT_NANOS = TimingWheel.DEFAULT_TICK.toNanos() << 24;

    private LongestPoll() {}

    /**
     * Measures it.
     *
     * @param arguments how many timers there are, a million unless stated
     */
    public static void main(String[] arguments) {
        int timers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : MILLION;
        for (int round = 0; round < ROUNDS; round++) {
            Longest longest = measure(timers, round);
            System.out.printf(
                    "longest poll: %.2f ms of CPU; timers moved by one poll, at most: %d%n",
                    longest.cpuNanos / 1e6, longest.moved);
        }
    }

    static Longest measure(int timers, long seed) {
        AtomicLong clock = new AtomicLong();
        AtomicInteger fired = new AtomicInteger();
        TimingWheel wheel = TimingWheel.builder(clock::get).polledByOwner(() -> {});
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < timers; i++) {
            wheel.scheduleAt(fired::incrementAndGet, 3 * SLOT_NANOS + random.nextLong(SLOT_NANOS));
        }
        long wait = wheel.poll();
        Longest longest = new Longest(0, 0);
        while (wait != Long.MAX_VALUE) {
            clock.addAndGet(wait);
            long moved = wheel.cascades();
            long before = THREADS.getCurrentThreadCpuTime();
            wait = wheel.poll();
            longest = longest.or(THREADS.getCurrentThreadCpuTime() - before, wheel.cascades() - moved);
        }
        if (fired.get() != timers) {
            throw new IllegalStateException("%d of %d timers fired".formatted(fired.get(), timers));
        }
        return longest;
    }

    /**
     * Cost of the longest poll.
     *
     * @param cpuNanos time of the processor
     * @param moved timers that one poll has moved down
     */
    record Longest(long cpuNanos, long moved) {

        Longest or(long otherNanos, long otherMoved) {
            return new Longest(Math.max(cpuNanos, otherNanos), Math.max(moved, otherMoved));
        }
    }
}
