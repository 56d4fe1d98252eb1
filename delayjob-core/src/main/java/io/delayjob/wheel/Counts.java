package io.delayjob.wheel;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the timers of a wheel. The owner of the wheel writes the counts, and any thread may read them. */
final class Counts {

    private final AtomicIntegerArray lying = new AtomicIntegerArray(HierarchicalWheel.LEVELS);
    private final AtomicLong moved = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    void came(int level) {
        lying.setOpaque(level, lying.getPlain(level) + 1);
    }

    void left(int level, int count) {
        lying.setOpaque(level, lying.getPlain(level) - count);
    }

    /** Adds to the number of timers that have moved to a lower level. */
    void moved(int count) {
        moved.setOpaque(moved.getPlain() + count);
    }

    /** Adds to the number of cancelled timers that were found and dropped. */
    void dropped(int count) {
        dropped.setOpaque(dropped.getPlain() + count);
    }

    /** Returns the number of timers on a level, including cancelled timers that have not been dropped. */
    int lyingOn(int level) {
        return lying.getOpaque(level);
    }

    /** Returns the number of timers on all levels, including cancelled timers that have not been dropped. */
    int lying() {
        int sum = 0;
        for (int level = 0; level < HierarchicalWheel.LEVELS; level++) {
            sum += lyingOn(level);
        }
        return sum;
    }

    long moved() {
        return moved.getOpaque();
    }

    long dropped() {
        return dropped.getOpaque();
    }
}
