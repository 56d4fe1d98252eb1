package io.delayjob.benchmarks.durable;

import java.util.concurrent.locks.LockSupport;

/** Repeats a call at a fixed rate and at equal intervals. */
final class Pace {

    private Pace() {}

    /** If a call takes too long, the next calls follow without a pause until the calls are on time again. */
    static void keep(int rate, int count, Runnable call) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long at = start + i * 1_000_000_000L / rate;
            long early = at - System.nanoTime();
            while (early > 0) {
                LockSupport.parkNanos(early);
                early = at - System.nanoTime();
            }
            call.run();
        }
    }
}
