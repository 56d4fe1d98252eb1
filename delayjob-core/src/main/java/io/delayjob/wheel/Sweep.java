package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * Drops the cancelled timers of a wheel in steps, chunk by chunk. Between the steps, timers may be added and may fire.
 */
final class Sweep<E> {

    private static final int BEGIN = -1;

    private final Level<E>[] levels;
    private final Chunks<E> chunks;

    /** The present slot: level * 256 + number of the slot within the level. */
    private int at = BEGIN;

    Sweep(Level<E>[] levels, Chunks<E> chunks) {
        this.levels = levels;
        this.chunks = chunks;
    }

    /**
     * @param limit number of timers to read, rounded up to whole chunks
     * @return whether there are more slots to sweep
     */
    boolean go(int limit) {
        for (int left = limit; left > 0; left -= Chunk.CAPACITY) {
            Chunk<E> chunk = chunks.sweptNext();
            if (chunk == null) {
                chunk = firstOfNextSlot();
            }
            if (chunk == null) {
                return false;
            }
            compact(chunk);
        }
        return true;
    }

    /** If the chunk still has free places, and more chunks follow, the next step moves more timers into this chunk. */
    private void compact(Chunk<E> chunk) {
        chunks.sweepNext(chunk.next == null ? null : chunk);
        levels[at / Level.SLOTS].slot(at % Level.SLOTS).compact(chunk);
        if (chunk.isFull() && chunks.sweptNext() == chunk) {
            chunks.sweepNext(chunk.next);
        }
    }

    private @Nullable Chunk<E> firstOfNextSlot() {
        while (++at < levels.length * Level.SLOTS) {
            Level<E> level = levels[at / Level.SLOTS];
            int found = level.nextOccupied(at % Level.SLOTS);
            if (found == SlotSet.NONE) {
                at |= Level.SLOTS - 1;
                continue;
            }
            at = at / Level.SLOTS * Level.SLOTS + found;
            Chunk<E> first = level.slot(found).first();
            if (first != null) {
                return first;
            }
        }
        at = BEGIN;
        return null;
    }
}
