package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/** Chunks that wait for their next use: as many as the lower levels need from turn to turn, the rest is garbage. */
final class Chunks<E> {

    private static final int MOST_KEPT = 1024;

    private @Nullable Chunk<E> free;
    private int kept;

    Chunk<E> get() {
        Chunk<E> chunk = free;
        if (chunk == null) {
            return new Chunk<>();
        }
        free = chunk.next;
        kept--;
        chunk.next = null;
        return chunk;
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
