package io.delayjob.wheel;

import java.util.List;

/**
 * Timers of a slot that have moved down before the slot begins. They lie on levels of their own, just as they will lie
 * on the wheel's. When the slot begins, those levels replace the wheel's, which are empty by then.
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

    /** Replaces the wheel's levels by its own. */
    void replace(Level<E>[] ofWheel) {
        System.arraycopy(levels, 0, ofWheel, 0, levels.length);
    }

    void endAll(List<E> ended) {
        for (Level<E> level : levels) {
            level.endAll(ended);
        }
    }
}
