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

    void moved(int count) {
        moved.setOpaque(moved.getPlain() + count);
    }

    void dropped(int count) {
        dropped.setOpaque(dropped.getPlain() + count);
    }

    /** A cancelled timer counts until it is dropped. */
    int lyingOn(int level) {
        return lying.getOpaque(level);
    }

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
