package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * Drops the cancelled timers of a wheel in steps, chunk by chunk over all occupied slots. Between the steps timers
 * come and go as usual.
 */
final class Sweep<E> {

    private static final int BEGIN = -1;

    private final Level<E>[] levels;

    /** The slot that it is at: level * 256 + number of the slot in it. */
    private int at = BEGIN;

    /** The next chunk of that slot to look at; {@code null} if there is none. */
    private @Nullable Chunk<E> chunk;

    private int dropped;

    Sweep(Level<E>[] levels) {
        this.levels = levels;
    }

    /** Goes on over so many timers, or a chunk's more; returns whether it has not seen all slots yet. */
    boolean go(int limit) {
        for (int left = limit; left > 0; left -= Chunk.CAPACITY) {
            Chunk<E> current = chunk == null ? firstOfNextSlot() : chunk;
            if (current == null) {
                return false;
            }
            boolean last = current.next == null;
            dropped += levels[at / Level.SLOTS].compact(at % Level.SLOTS, current);
            if (last) {
                chunk = null;
            } else {
                // A chunk with room is filled up from the next ones, step by step.
                chunk = current.isFull() ? current.next : current;
            }
        }
        return true;
    }

    private @Nullable Chunk<E> firstOfNextSlot() {
        while (++at < levels.length * Level.SLOTS) {
            Level<E> level = levels[at / Level.SLOTS];
            int number = level.nextOccupied(at % Level.SLOTS);
            if (number == SlotSet.NONE) {
                at |= Level.SLOTS - 1;
                continue;
            }
            at = at / Level.SLOTS * Level.SLOTS + number;
            Chunk<E> first = level.first(number);
            if (first != null) {
                return first;
            }
            // All that this slot holds has been split off.
        }
        at = BEGIN;
        return null;
    }

    /** The first chunk of a slot is about to be given back. */
    void leave(Chunk<E> emptied) {
        if (chunk == emptied) {
            chunk = emptied.next;
        }
    }

    /** How many timers it has dropped since this was last asked. */
    int takeDropped() {
        int taken = dropped;
        dropped = 0;
        return taken;
    }
}
