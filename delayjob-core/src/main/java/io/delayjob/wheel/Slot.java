package io.delayjob.wheel;

import org.jspecify.annotations.Nullable;

/**
 * The timers of one slot, in the order in which they came: a queue of {@linkplain Chunk chunks}, of which only the last
 * may be empty.
 */
final class Slot<E> {

    private final Chunks<E> chunks;
    private @Nullable Chunk<E> first;
    private @Nullable Chunk<E> last;
    private long earliestTick;

    Slot(Chunks<E> chunks) {
        this.chunks = chunks;
    }

    @Nullable
    Chunk<E> first() {
        return first;
    }

    /** The earliest tick of all timers that have been here since the slot was last empty. */
    long earliestTick() {
        return earliestTick;
    }

    boolean isLone() {
        return first != null && first.isLone();
    }

    void add(Entry<E> entry, long tick) {
        if (first == null || tick - earliestTick < 0) {
            earliestTick = tick;
        }
        Chunk<E> target = last;
        if (target == null || target.isFull()) {
            target = append(chunks.get());
        }
        target.add(entry, (char) tick);
    }

    private Chunk<E> append(Chunk<E> chunk) {
        if (last == null) {
            first = chunk;
        } else {
            last.next = chunk;
        }
        last = chunk;
        return chunk;
    }

    /** Gives the first chunk back, which is empty. */
    void removeFirst(Chunk<E> emptied) {
        first = emptied.next;
        if (first == null) {
            last = null;
        }
        chunks.giveBack(emptied);
    }

    /**
     * Drops the cancelled timers of a chunk and fills it up from those behind it, in order. It is
     * left empty if nothing lives from there on.
     *
     * @return how many were dropped
     */
    int compact(Chunk<E> chunk) {
        int dropped = chunk.compact();
        Chunk<E> behind = chunk.next;
        while (behind != null) {
            while (!behind.isEmpty() && !chunk.isFull()) {
                char lowTick = behind.firstLowTick();
                Entry<E> entry = behind.removeFirst();
                if (entry.isPending()) {
                    chunk.add(entry, lowTick);
                } else {
                    dropped++;
                }
            }
            if (!behind.isEmpty()) {
                break;
            }
            chunk.next = behind.next;
            if (behind == last) {
                last = chunk;
            }
            chunks.giveBack(behind);
            behind = chunk.next;
        }
        return dropped;
    }
}
