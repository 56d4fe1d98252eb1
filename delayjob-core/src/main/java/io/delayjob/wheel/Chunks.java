package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * Keeps unused chunks of a wheel for later use, and the position of the {@link Sweep}. If the chunk at this position is
 * given back, the position must move to the next chunk.
 */
final class Chunks<E> {

    private static final int MAX_SPARE = 1024;

    private @Nullable Chunk<E> spare;
    private int spares;
    private @Nullable Chunk<E> sweptNext;

    Chunk<E> get(int level) {
        Chunk<E> chunk = spare;
        if (chunk == null) {
            chunk = new Chunk<>();
        } else {
            spare = chunk.next;
            spares--;
            chunk.next = null;
        }
        chunk.useOn(level);
        return chunk;
    }

    void giveBack(Chunk<E> chunk) {
        if (sweptNext == chunk) {
            sweptNext = chunk.next;
        }
        chunk.reset();
        if (spares < MAX_SPARE) {
            chunk.next = spare;
            spare = chunk;
            spares++;
        }
    }

    /** {@code null} means that the sweep continues with the next slot. */
    @Nullable
    Chunk<E> sweptNext() {
        return sweptNext;
    }

    void sweepNext(@Nullable Chunk<E> chunk) {
        sweptNext = chunk;
    }
}
