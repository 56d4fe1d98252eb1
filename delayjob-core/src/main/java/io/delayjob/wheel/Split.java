package io.delayjob.wheel;

import java.util.List;

/**
 * Timers of a slot that have moved down before the slot begins: they lie on levels of their own, as they will lie on
 * the wheel's once it has begun. Those levels then take the place of the wheel's, which are empty by that time.
 */
final class Split<E> {

    private final long startTick;
    private final Level<E>[] levels;

    /** Splits a slot of this level, which begins at that tick. */
    Split(int level, long startTick, Chunks<E> chunks) {
        this.startTick = startTick;
        this.levels = Level.lowest(level, chunks);
    }

    void add(Entry<E> entry, long tick) {
        Level<E> level = levels[Level.highestDigit(tick ^ startTick)];
        level.add(level.slotNumber(tick), entry, tick);
    }

    int timers() {
        int timers = 0;
        for (Level<E> level : levels) {
            timers += level.timers();
        }
        return timers;
    }

    /** Puts its levels into the place of those of the wheel. */
    void replace(Level<E>[] ofWheel) {
        System.arraycopy(levels, 0, ofWheel, 0, levels.length);
    }

    void endAll(List<E> ended) {
        for (Level<E> level : levels) {
            level.endAll(ended);
        }
    }
}
