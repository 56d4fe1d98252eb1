package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * Shared by the slots of a wheel: spare chunks, as many as the lower levels need from turn to turn, and whether large
 * slots have changed since the last look for them.
 */
final class Chunks<E> {

    private static final int MOST_KEPT = 1024;

    private @Nullable Chunk<E> free;
    private int kept;
    private boolean largeSlotsChanged;

    /** An empty chunk for a slot of this level. */
    Chunk<E> get(int level) {
        Chunk<E> chunk = free;
        if (chunk == null) {
            chunk = new Chunk<>();
        } else {
            free = chunk.next;
            kept--;
            chunk.next = null;
        }
        chunk.useOn(level);
        return chunk;
    }

    /** Notes that a large slot has come, gone, grown, shrunk or begun. */
    void changeLargeSlots() {
        largeSlotsChanged = true;
    }

    /** Whether that has happened since this was last asked. */
    boolean haveLargeSlotsChanged() {
        if (!largeSlotsChanged) {
            return false;
        }
        largeSlotsChanged = false;
        return true;
    }

    void giveBack(Chunk<E> chunk) {
        chunk.reset();
        if (kept < MOST_KEPT) {
            chunk.next = free;
            free = chunk;
            kept++;
        }
    }
}
